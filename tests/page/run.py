#!/usr/bin/env python3
"""Opens exported pages in a headless Chromium, presses keys, and compares the page with the output of the program.

    tests/page/run.py [--build FOLDER] [CASE…]     CASE: part of a case's name

Writes the pages and pictures to build/tests/page.
"""

import argparse
import json
import os
import re
import shutil
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
except ImportError:  # run again with the system's Python if that one has Pillow
    system = "/usr/bin/python3"
    if os.path.realpath(sys.executable) != os.path.realpath(system) and \
            subprocess.run([system, "-c", "import PIL"], capture_output=True, check=False).returncode == 0:
        os.execv(system, [system, *sys.argv])
    Image = ImageChops = None

OUTPUT = output_folder("page")
GIF_TOLERANCE = 24  # of 255 levels: a GIF has 255 colours, the picture has thousands
LIMIT_S = 180
MODULO = "kernels/reduction/modulo.cu"
STEP = re.compile(r"^ *(\d+) +line (\d+) +phase (\d+) +((?: w\d+:[0-9a-f]{8})+)", re.MULTILINE)

# The visible state of the current step: the text, the marked line and the active mask of each warp.
SHOWN = """({place: document.querySelector('#place').textContent.replace(/^after /, ''),
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
    """The program and the browser, shared by all cases."""

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
        """Returns [(line, phase, {warp: mask})] as listed by `run --steps`."""
        listed = []
        for number, line, phase, turns in STEP.findall(self.lanescope("run", *arguments, "--steps")):
            masks = {}
            for warp, mask in re.findall(r"w(\d+):([0-9a-f]{8})", turns):
                masks[warp] = masks.get(warp, 0) | int(mask, 16)
            check(int(number) == len(listed) + 1, "`run --steps` must number the steps from 1")
            listed.append((int(line), int(phase), masks))
        return listed

    def quiet(self):
        # Figures and fonts lie in the page itself.
        complaints = [each for each in self.browser.complaints() if not each.startswith("request: data:")]
        check(not complaints, "the page reports errors or sends requests:\n" + "\n".join(complaints))


def expect_step(shown, number, step):
    line, _, masks = step
    check(shown["place"].startswith(f"step {number + 1} of "), f"step {number}: {shown['place']}")
    check(f" · line {line} · " in shown["place"], f"step {number}: {shown['place']}")
    check(shown["line"] == line, f"step {number}: line {shown['line']} is marked, expected {line}")
    for warp, mask in shown["masks"].items():
        check(int(mask, 16) == masks.get(warp, 0), f"step {number}: warp {warp} has mask {mask}")


# --- Cases ------------------------------------------------------------------------------------------------------------

def every_step_both_ways(pages):
    """Lines, phases and masks match `run --steps`; going back shows the same cells as going forwards."""
    b, steps = pages.browser, pages.steps(MODULO)
    b.open(pages.export("modulo", MODULO))
    b.press("Home")
    seen, names = [], {}
    for number, step in enumerate(steps):
        shown = b.value(SHOWN)
        expect_step(shown, number, step)
        names.setdefault(shown["place"].split(" · ")[2], []).append(number)
        seen.append((b.value(CELLS), b.value(LANES)))
        b.press("ArrowRight")
    for number in reversed(range(len(steps))):
        expect_step(b.value(SHOWN), number, steps[number])
        check((b.value(CELLS), b.value(LANES)) == seen[number], f"step {number} differs on the way back")
        b.press("ArrowLeft")
    check(list(names) == ["phase 0", "stride 1", "stride 2", "stride 4", "stride 8", "stride 16", "stride 32", "stride 64"],
          f"the phases are {list(names)}")
    check(all(numbers == list(range(numbers[0], numbers[-1] + 1)) for numbers in names.values()), f"a phase comes again: {names}")
    pages.quiet()


def values_are_the_algorithm_s(pages):
    """The shared array holds the sums of the addition tree after each stride."""
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
        if phase > 0:  # the sums of the previous phase are complete; the barrier's step changes nothing
            check(shown == [str(value) for value in expected], f"phase {phase}: s is {shown}, expected {expected}")
            done += 1
        if phase >= 1:
            for i in range(0, 128, 2 * stride):
                expected[i] += expected[i + stride] if i + stride < 128 else 0
            stride *= 2
    check(done >= 7, f"only {done} phases were compared, expected at least 7")
    b.press("End")
    final = json.loads(pages.lanescope("run", MODULO, "--json"))["buffers"]["out"]["values"]
    check([b.value(CELLS)[f"out:{i}"] for i in range(len(final))] == [str(value) for value in final],
          "out differs at the last step")
    pages.quiet()


def keys_mouse_slider_and_touch(pages):
    b, steps = pages.browser, pages.steps(MODULO)
    b.open(pages.export("modulo_keys", MODULO))
    place = lambda: int(b.value("document.querySelector('#place').textContent.replace(/^after /, '')").split()[1]) - 1  # noqa: E731
    b.press("End")
    check(place() == len(steps) - 1, "End does not go to the last step")
    b.press("Home", "ArrowDown")
    check(place() == next(i for i, step in enumerate(steps) if step[1] == 1),
          "the down arrow does not go to the next phase")
    b.press("ArrowUp")
    check(place() == 0, "the up arrow does not go to the previous phase")
    b.click("#forward")
    check(place() == 1, "the button does not go to the next step")
    b.click("#slider", 0.5)
    check(abs(place() - len(steps) // 2) <= 2, f"a click on the slider's middle goes to step {place()}")
    b.click("#timeline", 0.99)
    check(place() >= len(steps) - 4, f"a click on the timeline's end goes to step {place()}")
    b.press("Home", " ")
    deadline = time.monotonic() + 10
    while place() < 2:
        check(time.monotonic() < deadline, "space does not start playing")
        time.sleep(0.05)
    b.press(" ")
    stopped = place()
    time.sleep(0.9)
    check(place() == stopped, "space does not stop playing")
    b.value("document.querySelector('#label').value = 't', document.querySelector('#label').onchange()")
    check(b.value(LANES)[:3] == ["0", "1", "2"], f"the variable t is {b.value(LANES)[:3]} in lanes 0 to 2")
    b.open((OUTPUT / "modulo_keys.html").as_uri() + "#step=6", width=390, height=844, phone=True)
    check(place() == 5, "the address does not select the step")
    b.tap("#forward")
    check(place() == 6, "a tap on the button does not go to the next step")
    check(b.value("document.documentElement.scrollWidth") <= 390, "the page is wider than the telephone")
    b.swipe("#arrays", -120)
    check(place() == 7, "a swipe to the left does not go to the next step")
    b.swipe("#arrays", 120)
    check(place() == 6, "a swipe to the right does not go back")
    b.swipe("#arrays", -20)
    check(place() == 6, "a finger that hardly moves goes to another step")
    pages.quiet()


# What overlaps in the flow: texts of the titles, and cells.
OVERPRINTED = """(() => { const cells = [...document.querySelectorAll('.flow-cell rect')].map(each => each.getBoundingClientRect());
  const texts = [...document.querySelectorAll('.flow-row tspan')].filter(each => each.textContent.trim());
  return texts.filter(text => { const t = text.getBoundingClientRect();
    return t.right > innerWidth || cells.some(c => t.left < c.right && c.left < t.right && t.top < c.bottom && c.top < t.bottom);
  }).map(text => text.textContent); })()"""


# Cells in which the old value covers the new one.
OLD_OVER_NEW = """[...document.querySelectorAll('.cell .old')].filter(old => { const range = document.createRange();
  range.selectNode(old.parentElement.firstChild);
  const a = old.getBoundingClientRect(), b = range.getBoundingClientRect();
  return a.left < b.right && b.left < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom;
}).map(old => old.parentElement.dataset.cell)"""


def a_telephone_shows_names_and_conflicts(pages):
    """Phases have the names of the window's timeline, cells with bank conflicts a colour, and no texts overlap."""
    b = pages.browser
    b.open(pages.export("phone_scan", "kernels/scan/blelloch.cu") + "#step=14&view=flow", width=390, height=844, phone=True)
    check("up-sweep, stride 2" in b.value("document.querySelector('#place').textContent"),
          f"the place is {b.value('document.querySelector(`#place`).textContent')}")
    check(b.value(OVERPRINTED) == [], f"in the flow these overlap cells: {b.value(OVERPRINTED)}")
    b.screenshot(OUTPUT / "phone_flow.png")
    conflicts = "document.querySelectorAll('.cell.conflict').length"
    b.open(pages.export("phone_conflicts", "kernels/reduction/strided_index.cu"), width=390, height=844, phone=True)
    check(not b.value("document.querySelector('#conflict-key').hidden"), "the legend does not explain the colour")
    check(b.value(conflicts) == 0, "a step without a conflict has its colour")
    for _ in range(60):
        if b.value(conflicts):
            break
        b.press("ArrowRight")
    check(b.value(conflicts) > 8, f"{b.value(conflicts)} cells of a step have the colour of conflicts")
    check(b.value(OLD_OVER_NEW) == [], f"old values stand over the new ones: {b.value(OLD_OVER_NEW)}")
    b.screenshot(OUTPUT / "phone_conflicts.png")
    pages.quiet()


def the_flow_is_the_program_s(pages):
    """The figure has a row for each phase; a cell lights up what it was made of, and leads to its step."""
    b, file = pages.browser, "kernels/scan/blelloch.cu"
    b.open(pages.export("flow", file, "--set", "n=8"))
    b.press("Home", "f")
    check(not b.value("document.querySelector('#flow').hidden") and b.value("document.querySelector('#arrays').hidden"),
          "F does not show the flow")
    rows = b.value("[...document.querySelectorAll('.flow-title')].map(title => title.textContent)")
    check(rows == ["in", "load", *(f"up-sweep, stride {n}" for n in (1, 2, 4)), "line 39",
                   *(f"down-sweep, stride {n}" for n in (4, 2, 1)), "out"], f"the rows are {rows}")
    elements = json.loads(pages.lanescope("run", file, "--set", "n=8", "--flow", "out", "--json"))["flow"]
    stories = b.value("[...document.querySelectorAll('.flow-cell.written')].slice(-8).map(cell => cell.getAttribute('aria-label'))")
    check(len(stories) == 8, f"the last row has {len(stories)} cells")
    for story, element in zip(stories, elements):
        check(element["text"] in story, f"the page says {story!r}, the program {element['text']!r}")
    b.value("[...document.querySelectorAll('.flow-cell.written')].at(-1).dispatchEvent(new PointerEvent('pointerenter'))")
    lit = b.value("document.querySelectorAll('.flow-cell.lit').length")
    check(lit > 15 and b.value("document.querySelectorAll('.flow-line.lit').length") > 15, f"only {lit} cells light up")
    check("in[0] + … + in[6]" in b.value("document.querySelector('#flow-words').textContent"), "the words do not name the inputs")
    b.value("[...document.querySelectorAll('.flow-cell.written')].at(-1).dispatchEvent(new PointerEvent('pointerleave'))")
    check(b.value("document.querySelectorAll('.lit').length") == 0, "cells stay lit")
    # The keyboard: a cell has the focus, Enter goes to the step that wrote it.
    b.value("[...document.querySelectorAll('.flow-cell.leads')].at(-1).focus()")
    b.press("Enter")
    step = int(b.value("document.querySelector('#place').textContent.replace(/^after /, '')").split()[1])
    check(step > 10, f"Enter on the result goes to step {step}")
    check(b.value("document.querySelector('.flow-row.current .flow-title').textContent") == "out", "the current row is not marked")
    b.open((OUTPUT / "flow.html").as_uri() + "#step=3&view=flow", width=1600, height=1000, dark=True)
    check(not b.value("document.querySelector('#flow').hidden"), "the address does not choose the flow")
    b.screenshot(OUTPUT / "flow_dark.png")
    b.press("f")
    check(b.value("document.querySelector('#flow').hidden"), "F does not show the memory again")
    pages.quiet()


def the_flow_of_matrices_shows_one_cell_s_lines(pages):
    b = pages.browser
    b.open(pages.export("flow_matrices", "kernels/convolution/tiled_2d.cu") + "#step=1&view=flow")
    visible = "[...document.querySelectorAll('.flow-line')].filter(line => getComputedStyle(line).visibility === 'visible').length"
    check(b.value(visible) == 0, "lines of all cells are drawn at once")
    b.value("[...document.querySelectorAll('.flow-cell.written')].at(-70).dispatchEvent(new PointerEvent('pointerenter'))")
    lines = b.value(visible)
    check(25 <= lines <= 50, f"an output of a mask of 5 × 5 has {lines} lines, expected 25 and those of the inputs")
    b.screenshot(OUTPUT / "flow_matrices.png")
    pages.quiet()


def values_travel_unless_less_motion_is_preferred(pages):
    b, steps = pages.browser, pages.steps(MODULO)
    adds = next(i for i, step in enumerate(steps) if step[1] == 2 and step[0] == steps[8][0])
    page, travelling = pages.export("modulo_motion", MODULO), "document.querySelectorAll('.travelling').length"
    slow = "Element.prototype.animate = function(k, o) { return %s.call(this, k, {...o, duration: o.duration * 20}); }"
    b.open(page + f"#step={adds}")
    b.value("window.usual = Element.prototype.animate; " + slow % "usual")
    time.sleep(0.3)
    b.press("ArrowRight")
    check(b.value(travelling) > 8, f"{b.value(travelling)} values travel in the step that adds")
    check(b.value("document.querySelectorAll('.cell.write .old').length") > 8, "written cells do not show their old value")
    b.press("ArrowRight")
    b.press("ArrowLeft")
    time.sleep(0.3)
    b.value("[...document.querySelectorAll('.travelling')].forEach(v => v.getAnimations().forEach(a => a.finish()))")
    time.sleep(0.1)
    check(b.value(travelling) == 0, "values stay on their way after a step back")
    b.call("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]})
    b.press("ArrowLeft")
    time.sleep(0.3)
    b.press("ArrowRight")
    check(b.value(travelling) == 0, "values travel although less motion is preferred")
    b.call("Emulation.setEmulatedMedia", {"features": []})
    pages.quiet()


def hostile_text_is_text(pages):
    b, file = pages.browser, "tests/page/hostile.cu"
    b.open(pages.export("hostile", file))
    source = (ROOT / file).read_text(encoding="utf-8").rstrip("\n").split("\n")
    shown = b.value("[...document.querySelectorAll('.line .code')].map(line => line.textContent)")
    check([line.rstrip() for line in shown] == [line.rstrip() for line in source],
          "the page does not show the source unchanged")
    check(b.value("document.querySelector('#title').textContent").startswith("</script><img src=x"),
          "the title differs")
    check(b.value("document.querySelectorAll('img').length") == 0, "text of the file became an element of the page")
    check(b.value("document.title").endswith("hostile.cu"), "the document's title differs")
    b.press("End")
    check(b.value(CELLS)["a:3"] == "7", "a[3] is not 7 after the run")
    b.press("f")
    check(b.value("document.querySelectorAll('.flow-cell').length") > 0, "there is no flow")
    check(b.value("document.querySelectorAll('#flow img, #flow script').length") == 0, "text became an element of the flow")
    pages.quiet()


def problems_lead_to_their_steps(pages):
    b, file = pages.browser, "tests/checks/faulty/hillis_steele_one_barrier_missing.cu"
    found = json.loads(run([pages.program, "run", file, "--json"], cwd=ROOT, env=pages.env, timeout_s=LIMIT_S)[1])["problems"]
    b.open(pages.export("race", file))
    check(b.value("document.querySelectorAll('.problems li').length") == len(found),
          "the page does not list every problem")
    check(f"{len(found)} problem" in b.value("document.querySelector('#verdict').textContent"),
          "the heading has another number of problems")
    wanted = b.value("document.querySelector('.problems button').textContent").split()[-1]
    b.click(".problems button")
    check(b.value("document.querySelector('#place').textContent.replace(/^after /, '')").startswith(f"step {wanted} "),
          "a click on a problem does not go to its step")
    pages.quiet()


def some_blocks_and_steps(pages):
    b, file = pages.browser, "kernels/histogram/privatised.cu"
    b.open(pages.export("blocks", file, "--blocks", "0,1", "--steps", "4..13"))
    b.press("Home")
    check(b.value("document.querySelector('#place').textContent.replace(/^after /, '')").startswith("step 4 of "),
          "Home does not go to step 4")
    b.press("End")
    check(b.value("document.querySelector('#place').textContent.replace(/^after /, '')").startswith("step 13 of "),
          "End does not go to step 13")
    check(b.value("[...document.querySelector('#block').options].map(o => o.value)") == ["0", "1"],
          "the page does not offer blocks 0 and 1")
    steps = pages.steps(file, "--record-blocks", "1")
    b.value("document.querySelector('#block').selectedIndex = 1,"
            "document.querySelector('#block').onchange({target: document.querySelector('#block')})")
    line = b.value(SHOWN)["line"]
    check(line == steps[12][0], f"block 1 at step 13 is at line {line}, expected {steps[12][0]}")
    check("steps 4 to 13 of" in b.value("document.querySelector('#origin').textContent"),
          "the page does not say which steps it holds")
    pages.quiet()


def a_page_has_estimates(pages):
    b, file = pages.browser, "kernels/reduction/modulo.cu"
    told = json.loads(run([pages.program, "run", file, "--clock", "--json"], cwd=ROOT, env=pages.env, timeout_s=LIMIT_S)[1])
    b.open(pages.export("clock", file, "--clock"))
    shares = b.value("Object.fromEntries([...document.querySelectorAll('.line')].map((row, i) => [i + 1, row.querySelector('.estimate').textContent]))")
    for line in told["lines"]:
        if line["share"] >= 0.01:
            check(shares[str(line["line"])] == f"≈ {round(line['share'] * 100)} %", f"line {line['line']} has {shares[str(line['line'])]}")
    check("estimated≈ " in b.value("document.querySelector('table').textContent"), "the page does not say how long a GPU takes")
    pages.quiet()


def damaged_pages_say_so(pages):
    page = Path(pages.export("damaged", MODULO)[len("file://"):])
    text = page.read_text(encoding="utf-8")
    at = text.index('id="trace"') + 4000
    page.write_text(text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1:], encoding="utf-8")
    pages.browser.open(page.as_uri())
    check("damaged" in (pages.browser.value("document.querySelector('#failure').textContent") or ""),
          "a damaged page does not say so")
    check(pages.browser.value("document.querySelector('#views').hidden"), "a damaged page shows its views")


def pictures(pages):
    """Makes pictures for a person to check, on a desk and on a telephone, light and dark. The current line and lanes
    must be visible."""
    address = pages.export("pictures", MODULO) + "#step=17"
    for name, width, height, phone, dark in (("desk", 1600, 1000, False, False), ("desk_dark", 1600, 1000, False, True),
                                             ("phone", 390, 844, True, False)):
        pages.browser.open(address, width, height, phone, dark)
        pages.browser.screenshot(OUTPUT / f"{name}.png")
        colour = pages.browser.value("getComputedStyle(document.body).backgroundColor")
        check((colour == "rgb(20, 23, 28)") == dark, f"{name}: the background is {colour}")
    pages.quiet()


def animations_are_the_pictures(pages):
    """Compares every frame of a GIF, decoded by Pillow, with `render --step` of the same size."""
    if ImageChops is None:
        raise Skip("no Pillow")
    first, last, size = 15, 18, "1600x1400"  # no view scrolls at these steps
    gif = OUTPUT / "steps.gif"
    pages.lanescope("export", MODULO, "--steps", f"{first}..{last}", "--delay", "800", "--size", size, "--view", "explore", "-o", str(gif))
    with Image.open(gif) as frames:
        check(frames.n_frames == last - first + 1, f"the GIF has {frames.n_frames} frames, expected {last - first + 1}")
        check(frames.info.get("loop") == 0, "the GIF does not repeat forever")
        for i in range(frames.n_frames):
            frames.seek(i)
            check(frames.info["duration"] == (3200 if i == last - first else 800),
                  f"frame {i} lasts {frames.info['duration']} ms")
            picture = OUTPUT / f"step_{first + i}.png"
            pages.lanescope("render", MODULO, "--step", str(first + i), "--size", size, "-o", str(picture))
            with Image.open(picture) as wanted:
                levels = ImageChops.difference(frames.convert("RGB"), wanted.convert("RGB")).convert("L").histogram()
            differing = sum(levels[GIF_TOLERANCE + 1:]) / sum(levels)
            check(differing < 0.002, f"frame {i}: {differing:.2%} of the pixels differ by more than {GIF_TOLERANCE}")


def a_deck_shows_slides_answers_and_notes(pages):
    """A topic's deck: keys, answers by key and by click, the presenter's window, notes; and the browser complains about nothing."""
    path = OUTPUT / "atomics.html"
    pages.lanescope("export", "atomics", "--lessons", "lost_update,atomic_add", "-o", str(path))
    page = pages.browser
    page.open(path.as_uri(), 1280, 720)
    number = "document.querySelector('#number').textContent"
    count = page.value("document.querySelectorAll('.slide').length")
    check(10 <= count <= 16, f"two lessons have {count} slides")
    check(page.value(number) == f"1 / {count}", f"the deck begins at {page.value(number)}")
    page.value("window.wrapped = window.open, window.open = (...all) => (window.second = window.wrapped(...all)), 0")
    page.press("p")
    there = "window.second.document"
    check(page.value(f"{there}.querySelector('.place').textContent") == f"1 / {count}", "P opens no window that shows the place")
    check(page.value(f"{there}.querySelectorAll('.now .slide, .next .slide').length") == 2, "the presenter sees not two slides")
    page.press("ArrowRight")
    check(page.value(number) == f"2 / {count}", f"→ leads to {page.value(number)}")
    check(page.value(f"{there}.querySelector('.place').textContent") == f"2 / {count}", "the presenter's window does not move along")
    check(page.value(f"{there}.querySelector('.said').textContent.includes('Step ')"), "the presenter has no notes")
    check(re.fullmatch(r"\d\d:\d\d:\d\d", page.value(f"{there}.querySelector('.clock').textContent")), "there is no clock")
    page.value(f"{there}.dispatchEvent(new KeyboardEvent('keydown', {{key: 'End', bubbles: true}})), 0")
    check(page.value(number) == f"{count} / {count}", "a key in the presenter's window does nothing")
    page.press("Home")
    for _ in range(count):
        if page.value("!!document.querySelector('.slide.shown.questions')"):
            break
        page.press("ArrowRight")
    shown = "[...document.querySelectorAll('.slide.shown .answer')].map(each => each.getClientRects().length > 0)"
    check(len(page.value(shown)) > 2 and not any(page.value(shown)), "an answer is shown before it is asked for")
    page.press("ArrowRight")
    check(page.value(shown)[0] and sum(page.value(shown)) == 1, "→ does not show the first answer")
    page.value("document.querySelectorAll('.slide.shown .question')[2].click(), 0")
    check(page.value(shown)[2] and sum(page.value(shown)) == 1, "a click does not show the question's answer alone")
    check(page.value("[...document.images].every(image => image.complete && image.naturalWidth === 2320)"), "a figure is missing")
    page.press("n")
    check(page.value("document.body.classList.contains('with-notes')"), "N does not show the notes")
    pages.quiet()


# Slides of which something lies outside of the sheet.
CLIPPED = """(() => { document.body.classList.remove('running');
  return [...document.querySelectorAll('.slide')].filter((slide) => {
    const body = slide.querySelector('.body'), sheet = slide.querySelector('.sheet').getBoundingClientRect();
    return [...slide.querySelectorAll('.sheet *')].some((element) => {
      const box = element.getBoundingClientRect(), style = getComputedStyle(element);
      return box.width > 0 && style.display !== 'none' && (box.right > sheet.right + 1 || box.bottom > sheet.bottom + 1 ||
        (body.contains(element) && box.bottom > body.getBoundingClientRect().bottom + 1)); });
  }).map((slide) => slide.querySelector('header').innerText); })()"""


def long_texts_continue_on_the_next_slide(pages):
    """A topic of one's own with a text, a list, a table and code that are longer than a slide: nothing is cut off or lost.

    Text and list are notes; table and code are on slides."""
    with tempfile.TemporaryDirectory() as folder:
        topic = Path(folder) / "long"
        topic.mkdir()
        (topic / "a.cu").write_text((ROOT / "kernels/first_steps/vector_add.cu").read_text(encoding="utf-8"), encoding="utf-8")
        words = " ".join(f"Sentence {i} of a long text says word{i}x." for i in range(120))
        items = "\n".join(f"- item{i}x" for i in range(60))
        table = "| a | b |\n|---|---|\n" + "\n".join(f"| row{i}x | {i} |" for i in range(60))
        code = "```\n" + "\n".join(f"line{i}x();" for i in range(60)) + "\n```"
        text = "\n\n".join([words, items, table, code])
        (topic / "lesson.toml").write_text(f'[[lesson]]\nfile = "a.cu"\ntitle = "Long"\ntext = """\n{text}\n"""\n', encoding="utf-8")
        path = OUTPUT / "long.html"
        pages.lanescope("export", str(topic), "-o", str(path))
        page = pages.browser
        page.open(path.as_uri(), 1280, 720)
        parts = [page.value(f"[...document.querySelectorAll('{part}')].map(each => each.textContent).join(' ')") for part in (".body", ".notes")]
        for kind, count in (("word", 120), ("item", 60), ("row", 60), ("line", 60)):
            there = parts[kind in ("word", "item")]
            lost = [i for i in range(count) if there.count(f"{kind}{i}x") != 1]
            check(not lost, f"{kind} {lost} is not there once")
        clipped = page.value(CLIPPED)
        check(not clipped, f"these slides are cut off: {clipped}")


def no_slide_of_the_course_is_cut_off(pages):
    """Nothing is cut off, no slide is empty, and half an hour has 15 to 25 slides."""
    for topic in ("first_steps", "sorting"):
        path = OUTPUT / f"{topic}.html"
        pages.lanescope("export", topic, "--core", "-o", str(path))
        page = pages.browser
        page.open(path.as_uri(), 1280, 720)
        clipped = page.value(CLIPPED)
        check(not clipped, f"{topic}: these slides are cut off: {clipped}")
        empty = page.value("[...document.querySelectorAll('.slide')].filter(each => !each.querySelector('.body > *')).length")
        check(empty == 0, f"{topic}: {empty} slides are empty")
        minutes = int(re.search(r"(\d+) minutes", page.value("document.querySelector('.topic .label').textContent"))[1])
        count = page.value("document.querySelectorAll('.slide').length")
        check(15 <= 30 * count / minutes <= 25, f"{topic}: {count} slides for {minutes} minutes")


def a_pdf_has_a_page_for_each_slide(pages):
    """The PDF of a topic: as many pages of 16:9 as the deck has slides, text that can be selected, embedded fonts; notes on A4."""
    if not shutil.which("pdfinfo"):
        raise Skip("no pdfinfo (poppler-utils)")
    page, pdf = OUTPUT / "sorting_pages.html", OUTPUT / "sorting.pdf"
    pages.lanescope("export", "sorting", "-o", str(page))
    pages.browser.open(page.as_uri(), 1280, 720)
    slides = pages.browser.value("document.querySelectorAll('.slide').length")
    pages.lanescope("export", "sorting", "-o", str(pdf))
    tool = lambda *command: subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: E731
    facts = dict(re.findall(r"^([^:]+): +(.*)$", tool("pdfinfo", str(pdf)), re.MULTILINE))
    check(int(facts["Pages"]) == slides, f"{facts['Pages']} pages for {slides} slides")
    check(facts["Page size"].startswith("960 x 540"), f"a page has {facts['Page size']}")
    check("Bitonic" in tool("pdftotext", str(pdf), "-"), "the text cannot be selected")
    fonts = tool("pdffonts", str(pdf)).splitlines()[2:]
    check(fonts and all(line.split()[-5] == "yes" for line in fonts), "a font is not embedded:\n" + "\n".join(fonts))
    notes = OUTPUT / "sorting_notes.pdf"
    pages.lanescope("export", "sorting", "--notes", "-o", str(notes))
    facts = dict(re.findall(r"^([^:]+): +(.*)$", tool("pdfinfo", str(notes)), re.MULTILINE))
    check("A4" in facts["Page size"], f"a page with notes has {facts['Page size']}")
    check(int(facts["Pages"]) >= slides, f"{facts['Pages']} pages for {slides} slides with notes")
    check("Step 1" in tool("pdftotext", str(notes), "-"), "there are no notes")


# Figures of all the kinds of shapes: curves and labels, bars, tiny cells in gradients, tables of the flow.
FIGURES = {"scan/hillis_steele": "explore", "histogram/privatised": "explore", "transpose/tiled": "explore", "scan/blelloch": "flow"}


def figures_are_the_picture(pages):
    """An SVG drawn by the browser is the picture of the window, and its letters are text."""
    if ImageChops is None:
        raise Skip("no Pillow")
    for lesson, view in FIGURES.items():
        file, name = f"kernels/{lesson}.cu", lesson.replace("/", "_")
        figure, picture, drawn = OUTPUT / f"{name}.svg", OUTPUT / f"{name}.png", OUTPUT / f"{name}_drawn.png"
        pages.lanescope("render", file, "--view", view, "--alone", "-o", str(figure))
        pages.lanescope("render", file, "--view", view, "--alone", "--theme", "light", "-o", str(picture))
        pages.browser.open(figure.as_uri(), 1280, 720)
        pages.browser.screenshot(drawn)
        with Image.open(drawn) as is_, Image.open(picture) as wanted:
            check(is_.size == wanted.size, f"{name}: {is_.size} instead of {wanted.size}")
            # Smooth edges differ in a pixel; blurred, both are the same.
            small = tuple(side // 8 for side in wanted.size)
            levels = ImageChops.difference(is_.convert("RGB").resize(small), wanted.convert("RGB").resize(small)).convert("L").histogram()
        differing = sum(levels[GIF_TOLERANCE + 1:]) / sum(levels)
        check(differing < 0.01, f"{name}: {differing:.2%} of the picture differ")
        text = pages.browser.value("[...document.querySelectorAll('text')].map(each => each.textContent)")
        check("read in this step" in text or view == "flow", f"{name}: the legend cannot be read as text: {text[:20]}")
        check("out" in text, f"{name}: no array has a name: {text[:20]}")
        check(pages.browser.value("document.fonts.size") > 0, f"{name}: no font is in the file")
    pages.quiet()


def figures_for_latex(pages):
    """A .tikz has the texts of the .svg and balanced groups; pdflatex takes it where it is installed."""
    figure, same = OUTPUT / "scan.tikz", OUTPUT / "scan.svg"
    for path in (figure, same):
        pages.lanescope("render", "kernels/scan/hillis_steele.cu", "-o", str(path))
    text = figure.read_text(encoding="utf-8")
    check(text.count("{") - text.count("\\{") == text.count("}") - text.count("\\}"), "the braces do not match")
    used = set(re.findall(r"\b(lanescope[a-z]+)\b", text.split("\\begin{tikzpicture}")[1]))
    defined = set(re.findall(r"\\definecolor\{(lanescope[a-z]+)\}", text))
    check(used <= defined, f"colours without a definition: {used - defined}")
    check(text.count("\\node") == same.read_text(encoding="utf-8").count("<text"), "a text is missing")
    if shutil.which("pdflatex"):
        paper = OUTPUT / "paper.tex"
        paper.write_text("\\documentclass{article}\\usepackage{tikz,amssymb}\\begin{document}\\input{scan.tikz}\\end{document}\n", encoding="utf-8")
        done = subprocess.run(["pdflatex", "-interaction=nonstopmode", paper.name], cwd=OUTPUT, capture_output=True, text=True, check=False)
        check(done.returncode == 0, "pdflatex: " + done.stdout[-800:])


def slides_of_a_kernel(pages):
    """A slide for each captioned step, as a page, as a PDF and as a folder of pictures."""
    page, pdf, folder = OUTPUT / "steps.html", OUTPUT / "steps.pdf", OUTPUT / "steps"
    shutil.rmtree(folder, ignore_errors=True)
    for path in (page, pdf, folder):
        pages.lanescope("export", "kernels/scan/blelloch.cu", "--slides", "-o", str(path))
    pages.browser.open(page.as_uri(), 1280, 720)
    slides = pages.browser.value("document.querySelectorAll('.slide').length")
    captions = pages.browser.value("[...document.querySelectorAll('figcaption')].map(each => each.textContent)")
    check(slides > 3 and len(captions) == slides and all(captions), f"{slides} slides with the captions {captions}")
    clipped = pages.browser.value(CLIPPED)
    check(not clipped, f"these slides are cut off: {clipped}")
    pages.quiet()
    listed = (folder / "captions.txt").read_text(encoding="utf-8")
    check(all(caption in listed for caption in captions), "a caption is missing in captions.txt")
    for kind in ("png", "svg"):
        check(len(list(folder.glob(f"step_*.{kind}"))) == slides, f"{kind}: {sorted(each.name for each in folder.iterdir())}")
    pages.lanescope("export", "kernels/scan/blelloch.cu", "--steps", "4,9,12..13", "-o", str(page))
    pages.browser.open(page.as_uri(), 1280, 720)
    titles = pages.browser.value("[...document.querySelectorAll('.slide h3')].map(each => each.textContent)")
    check([int(re.search(r"step (\d+)", title)[1]) for title in titles] == [4, 9, 12, 13], f"the slides are {titles}")
    pages.lanescope("export", "kernels/reduction/sequential.cu", "--phases", "-o", str(page))
    pages.browser.open(page.as_uri(), 1280, 720)
    phases = pages.browser.value("document.querySelectorAll('.slide').length")
    report = json.loads(pages.lanescope("run", "kernels/reduction/sequential.cu", "--json"))
    check(phases > 2 and report, f"{phases} slides for the phases")
    if shutil.which("pdfinfo"):
        facts = subprocess.run(["pdfinfo", str(pdf)], capture_output=True, text=True, check=True).stdout
        check(re.search(rf"^Pages: +{slides}$", facts, re.MULTILINE), f"{slides} slides, but in the PDF:\n{facts}")


def links_lead_to_the_version_for_browsers(pages):
    b, web = pages.browser, ["--web", "https://web.example/lanescope/"]
    opened = "document.querySelector('#open').getAttribute('href')"
    b.open(pages.export("linked", MODULO, "--set", "n=64", *web))
    b.press("Home", "ArrowRight", "ArrowRight")
    check(b.value(opened) == "https://web.example/lanescope/?lesson=reduction/modulo&n=64&step=3", f"the page links to {b.value(opened)}")
    pages.quiet()
    b.open(pages.export("unlinked", MODULO))
    check(b.value("document.querySelector('#open').hidden"), "a page that knows no address has a link")
    links = "[...document.querySelectorAll('.open a')].map(link => link.getAttribute('href'))"
    b.open(pages.export("linked_steps", MODULO, "--steps", "4,9", *web))
    check(b.value(links) == [f"{web[1]}?lesson=reduction/modulo&step={step}" for step in (4, 9)], f"the steps link to {b.value(links)}")
    for name, more in (("linked_deck", []), ("linked_handout", ["--handout"])):
        b.open(pages.export(name, "scan", "--lessons", "blelloch", *web, *more))
        check(set(b.value(links)) == {f"{web[1]}?lesson=scan/blelloch"}, f"the slides link to {b.value(links)}")
        shown = b.value("[...document.querySelectorAll('.open')].every(each => each.scrollWidth <= each.parentElement.clientWidth)")
        check(shown, f"{name}: a link is wider than its slide")
    pages.quiet()


def films_have_the_steps(pages):
    if not shutil.which("ffmpeg") or not shutil.which("ffprobe"):
        raise Skip("no ffmpeg")
    for kind in ("mp4", "webm"):
        film = OUTPUT / f"steps.{kind}"
        pages.lanescope("export", MODULO, "--steps", "4..7", "--delay", "400", "--size", "641x361", "-o", str(film))
        told = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration:stream=width,height", "-of", "json", str(film)],
                              capture_output=True, text=True, check=True).stdout
        facts = json.loads(told)
        check((facts["streams"][0]["width"], facts["streams"][0]["height"]) == (642, 362), f"{kind}: {facts}")
        check(abs(float(facts["format"]["duration"]) - 2.8) < 0.3, f"{kind}: three steps of 0.4 s and the last one for 1.6 s are {facts}")


CASES = [every_step_both_ways, values_are_the_algorithm_s, keys_mouse_slider_and_touch, a_telephone_shows_names_and_conflicts,
         values_travel_unless_less_motion_is_preferred, the_flow_is_the_program_s,
         the_flow_of_matrices_shows_one_cell_s_lines, hostile_text_is_text,
         problems_lead_to_their_steps, a_page_has_estimates, some_blocks_and_steps, damaged_pages_say_so,
         a_deck_shows_slides_answers_and_notes, long_texts_continue_on_the_next_slide,
         no_slide_of_the_course_is_cut_off, a_pdf_has_a_page_for_each_slide, pictures, animations_are_the_pictures,
         figures_are_the_picture, figures_for_latex, slides_of_a_kernel, links_lead_to_the_version_for_browsers, films_have_the_steps]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("cases", nargs="*", help="run only cases whose name contains one of these")
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
