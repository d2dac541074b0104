#!/usr/bin/env python3
"""Opens exported pages in a headless Chromium, presses keys, and compares what is shown with what the program says.

    tests/page/run.py [--build FOLDER] [CASE…]     CASE: part of a case's name

Pages and pictures are in build/tests/page.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import browser as chromium  # noqa: E402
from harness import ROOT, Report, clean_environment, output_folder, run  # noqa: E402

try:
    from PIL import Image, ImageChops
except ImportError:  # the system's Python has it, when this one is another
    system = "/usr/bin/python3"
    if os.path.realpath(sys.executable) != os.path.realpath(system) and \
            subprocess.run([system, "-c", "import PIL"], capture_output=True, check=False).returncode == 0:
        os.execv(system, [system, *sys.argv])
    Image = ImageChops = None

OUTPUT = output_folder("page")
GIF_TOLERANCE = 24  # of 255: 255 colours for a picture that has thousands
LIMIT_S = 180
MODULO = "kernels/reduction/modulo.cu"
STEP = re.compile(r"^ *(\d+) +line (\d+) +phase (\d+) +((?: w\d+:[0-9a-f]{8})+)", re.MULTILINE)

# What a person sees of the current step: the text, the marked line, each warp's mask.
SHOWN = """({place: document.querySelector('#place').textContent,
  line: Number(document.querySelector('.line.current .number')?.textContent),
  masks: Object.fromEntries([...document.querySelectorAll('.warp')].map(w => [w.dataset.warp, w.dataset.mask]))})"""
CELLS = "Object.fromEntries([...document.querySelectorAll('.cell')].map(c => [c.dataset.cell, c.firstChild.textContent]))"
LANES = "[...document.querySelectorAll('.lane .value')].map(v => v.textContent)"


class Failure(Exception):
    pass


class Skip(Exception):
    pass


def check(condition, what):
    if not condition:
        raise Failure(what)


class Pages:
    """The program and the browser, and what the cases share."""

    def __init__(self, build, home):
        self.program = str(build / "lanescope")
        self.env = clean_environment(home)
        self.browser = chromium.Browser(chromium.find(), home)

    def lanescope(self, *arguments, expected=0):
        code, out, err = run([self.program, *arguments], cwd=ROOT, env=self.env, timeout_s=LIMIT_S)
        check(code == expected, f"lanescope {' '.join(arguments)}: exit {code}\n{err}")
        return out if expected == 0 else err

    def export(self, name, *arguments):
        page = OUTPUT / f"{name}.html"
        self.lanescope("export", *arguments, "-o", str(page))
        return page.as_uri()

    def steps(self, *arguments):
        """[(line, phase, {warp: mask})] as `run --steps` lists them."""
        listed = []
        for number, line, phase, turns in STEP.findall(self.lanescope("run", *arguments, "--steps")):
            masks = {}
            for warp, mask in re.findall(r"w(\d+):([0-9a-f]{8})", turns):
                masks[warp] = masks.get(warp, 0) | int(mask, 16)
            check(int(number) == len(listed), "steps are numbered from 0")
            listed.append((int(line), int(phase), masks))
        return listed

    def quiet(self):
        complaints = self.browser.complaints()
        check(not complaints, "the page complains:\n" + "\n".join(complaints))


def expect_step(shown, number, step):
    line, phase, masks = step
    check(shown["place"].startswith(f"step {number + 1} of "), f"step {number}: {shown['place']}")
    check(f" · line {line} · phase {phase}" in shown["place"], f"step {number}: {shown['place']}")
    check(shown["line"] == line, f"step {number}: line {shown['line']} is marked, not {line}")
    for warp, mask in shown["masks"].items():
        check(int(mask, 16) == masks.get(warp, 0), f"step {number}: warp {warp} has {mask}")


# --- Cases ------------------------------------------------------------------------------------------------------------

def every_step_both_ways(pages):
    """Lines, phases and masks are those of `run --steps`; cells are the same on the way back."""
    b, steps = pages.browser, pages.steps(MODULO)
    b.open(pages.export("modulo", MODULO))
    b.press("Home")
    seen = []
    for number, step in enumerate(steps):
        expect_step(b.value(SHOWN), number, step)
        seen.append((b.value(CELLS), b.value(LANES)))
        b.press("ArrowRight")
    for number in reversed(range(len(steps))):
        expect_step(b.value(SHOWN), number, steps[number])
        check((b.value(CELLS), b.value(LANES)) == seen[number], f"step {number} differs on the way back")
        b.press("ArrowLeft")
    pages.quiet()


def values_are_the_algorithm_s(pages):
    """The shared array after each stride is what the tree of additions gives."""
    b, steps = pages.browser, pages.steps(MODULO)
    b.open(pages.export("modulo_values", MODULO))
    b.press("Home")
    cells = b.value(CELLS)
    values = [int(cells[f"in:{i}"]) for i in range(128)]
    stride, expected, done = 1, list(values), 0
    last = max(phase for _, phase, _ in steps)
    for phase in range(last + 1):
        first = next(i for i, step in enumerate(steps) if step[1] == phase)
        b.value(f"location.hash = '#step={first + 1}'")
        time.sleep(0.05)
        cells = b.value(CELLS)
        shown = [cells[f"s:{i}"] for i in range(128)]
        if phase > 0:  # every sum of the phase before is there; the barrier's own step changes nothing
            check(shown == [str(value) for value in expected], f"phase {phase}: s is {shown}, not {expected}")
            done += 1
        if phase >= 1:
            for i in range(0, 128, 2 * stride):
                expected[i] += expected[i + stride] if i + stride < 128 else 0
            stride *= 2
    check(done >= 7, f"only {done} phases were compared")
    b.press("End")
    final = json.loads(pages.lanescope("run", MODULO, "--json"))["buffers"]["out"]["values"]
    check([b.value(CELLS)[f"out:{i}"] for i in range(len(final))] == [str(value) for value in final], "out at the end")
    pages.quiet()


def keys_mouse_slider_and_touch(pages):
    b, steps = pages.browser, pages.steps(MODULO)
    b.open(pages.export("modulo_keys", MODULO))
    place = lambda: int(b.value("document.querySelector('#place').textContent").split()[1]) - 1  # noqa: E731
    b.press("End")
    check(place() == len(steps) - 1, "End")
    b.press("Home", "ArrowDown")
    check(place() == next(i for i, step in enumerate(steps) if step[1] == 1), "the next phase")
    b.press("ArrowUp")
    check(place() == 0, "the phase before")
    b.click("#forward")
    check(place() == 1, "the button for the next step")
    b.click("#slider", 0.5)
    check(abs(place() - len(steps) // 2) <= 2, f"the slider's middle is step {place()}")
    b.click("#timeline", 0.99)
    check(place() >= len(steps) - 4, f"the timeline's end is step {place()}")
    b.press("Home", " ")
    deadline = time.monotonic() + 10
    while place() < 2:
        check(time.monotonic() < deadline, "space plays")
        time.sleep(0.05)
    b.press(" ")
    stopped = place()
    time.sleep(0.9)
    check(place() == stopped, "space stops")
    b.value("document.querySelector('#label').value = 't', document.querySelector('#label').onchange()")
    check(b.value(LANES)[:3] == ["0", "1", "2"], f"the variable t in every lane: {b.value(LANES)[:3]}")
    b.open((OUTPUT / "modulo_keys.html").as_uri() + "#step=6", width=390, height=844, phone=True)
    check(place() == 5, "the address names a step")
    b.tap("#forward")
    check(place() == 6, "a tap on the button for the next step")
    check(b.value("document.documentElement.scrollWidth") <= 390, "nothing is wider than the telephone")
    pages.quiet()


def hostile_text_is_text(pages):
    b, file = pages.browser, "tests/page/hostile.cu"
    b.open(pages.export("hostile", file))
    source = (ROOT / file).read_text(encoding="utf-8").rstrip("\n").split("\n")
    shown = b.value("[...document.querySelectorAll('.line .code')].map(line => line.textContent)")
    check([line.rstrip() for line in shown] == [line.rstrip() for line in source], "the source is shown as it is")
    check(b.value("document.querySelector('#title').textContent").startswith("</script><img src=x"), "the title")
    check(b.value("document.querySelectorAll('img').length") == 0, "no element comes from a text")
    check(b.value("document.title").endswith("hostile.cu"), "the document's title")
    b.press("End")
    check(b.value(CELLS)["a:3"] == "7", "a[3] after the run")
    pages.quiet()


def problems_lead_to_their_steps(pages):
    b, file = pages.browser, "tests/checks/faulty/hillis_steele_one_barrier_missing.cu"
    found = json.loads(run([pages.program, "run", file, "--json"], cwd=ROOT, env=pages.env, timeout_s=LIMIT_S)[1])["problems"]
    b.open(pages.export("race", file))
    check(b.value("document.querySelectorAll('.problems li').length") == len(found), "every problem is listed")
    check(f"{len(found)} problem" in b.value("document.querySelector('#verdict').textContent"), "the heading counts them")
    wanted = b.value("document.querySelector('.problems button').textContent").split()[-1]
    b.click(".problems button")
    check(b.value("document.querySelector('#place').textContent").startswith(f"step {wanted} "), "a click leads to the step")
    pages.quiet()


def some_blocks_and_steps(pages):
    b, file = pages.browser, "kernels/histogram/privatised.cu"
    b.open(pages.export("blocks", file, "--blocks", "0,1", "--steps", "3..12"))
    b.press("Home")
    check(b.value("document.querySelector('#place').textContent").startswith("step 4 of "), "the first step is the fourth")
    b.press("End")
    check(b.value("document.querySelector('#place').textContent").startswith("step 13 of "), "the last step is the thirteenth")
    check(b.value("[...document.querySelector('#block').options].map(o => o.value)") == ["0", "1"], "two blocks")
    steps = pages.steps(file, "--record-blocks", "1")
    b.value("document.querySelector('#block').selectedIndex = 1,"
            "document.querySelector('#block').onchange({target: document.querySelector('#block')})")
    line = b.value(SHOWN)["line"]
    check(line == steps[12][0], f"block 1 at step 12 is at line {line}, not {steps[12][0]}")
    check("steps 4 to 13 of" in b.value("document.querySelector('#origin').textContent"), "the page says what it holds")
    pages.quiet()


def damaged_pages_say_so(pages):
    page = Path(pages.export("damaged", MODULO)[len("file://"):])
    text = page.read_text(encoding="utf-8")
    at = text.index('id="trace"') + 4000
    page.write_text(text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1:], encoding="utf-8")
    pages.browser.open(page.as_uri())
    check("damaged" in (pages.browser.value("document.querySelector('#failure').textContent") or ""), "it says that it is damaged")
    check(pages.browser.value("document.querySelector('#views').hidden"), "and shows nothing else")


def pictures(pages):
    """For people: on a desk and on a telephone, light and dark. The current line and lanes must be in sight."""
    address = pages.export("pictures", MODULO) + "#step=17"
    for name, width, height, phone, dark in (("desk", 1600, 1000, False, False), ("desk_dark", 1600, 1000, False, True),
                                             ("phone", 390, 844, True, False)):
        pages.browser.open(address, width, height, phone, dark)
        pages.browser.screenshot(OUTPUT / f"{name}.png")
        colour = pages.browser.value("getComputedStyle(document.body).backgroundColor")
        check((colour == "rgb(20, 23, 28)") == dark, f"{name}: the ground is {colour}")
    pages.quiet()


def animations_are_the_pictures(pages):
    """Every frame of a GIF, decoded by Pillow, against `render --step` of the same size."""
    if ImageChops is None:
        raise Skip("no Pillow")
    first, last, size = 14, 17, "1600x1000"  # where nothing has to be scrolled
    gif = OUTPUT / "steps.gif"
    pages.lanescope("export", MODULO, "--steps", f"{first}..{last}", "--delay", "800", "--size", size, "-o", str(gif))
    with Image.open(gif) as frames:
        check(frames.n_frames == last - first + 1, f"{frames.n_frames} frames")
        check(frames.info.get("loop") == 0, "it begins again")
        for i in range(frames.n_frames):
            frames.seek(i)
            check(frames.info["duration"] == (3200 if i == last - first else 800), f"frame {i} stands {frames.info['duration']} ms")
            picture = OUTPUT / f"step_{first + i}.png"
            pages.lanescope("render", MODULO, "--step", str(first + i), "--size", size, "-o", str(picture))
            with Image.open(picture) as wanted:
                levels = ImageChops.difference(frames.convert("RGB"), wanted.convert("RGB")).convert("L").histogram()
            differing = sum(levels[GIF_TOLERANCE + 1:]) / sum(levels)
            check(differing < 0.002, f"frame {i}: {differing:.2%} of the pixels differ by more than {GIF_TOLERANCE}")


CASES = [every_step_both_ways, values_are_the_algorithm_s, keys_mouse_slider_and_touch, hostile_text_is_text,
         problems_lead_to_their_steps, some_blocks_and_steps, damaged_pages_say_so, pictures, animations_are_the_pictures]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("cases", nargs="*", help="only cases whose name holds one of these")
    options = parser.parse_args()
    cases = [case for case in CASES if not options.cases or any(part in case.__name__ for part in options.cases)]
    report = Report()
    if not chromium.find():
        for case in cases:
            report.skip(f"page: {case.__name__}", "no Chromium")
        report.finish()
    with tempfile.TemporaryDirectory(prefix="lanescope-page-", ignore_cleanup_errors=True) as home:
        pages = Pages(options.build.resolve(), Path(home))
        try:
            for case in cases:
                try:
                    case(pages)
                    report.success(f"page: {case.__name__}")
                except Skip as reason:
                    report.skip(f"page: {case.__name__}", str(reason))
                except (Failure, chromium.BrowserError) as problem:
                    report.failure(f"page: {case.__name__}", str(problem))
        finally:
            pages.browser.close()
    report.finish()


main()
