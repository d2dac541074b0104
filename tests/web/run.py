#!/usr/bin/env python3
"""The program for browsers in node, beside the native one: what both print for every lesson must be equal, byte by byte.

    tests/web/run.py [--build FOLDER] [--table] [LESSON…]    LESSON: part of a file's path; --table: every run with its times

It runs what app/web.sh builds, and skips itself where that is not built. Each lesson runs with its own parameters, as debug and as
optimised code, and with changed parameters.
"""

import argparse
import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from queue import Empty, Queue

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "page"))
from browser import Browser, BrowserError, find  # noqa: E402
from harness import ROOT, Report, clean_environment, output_folder, run  # noqa: E402

WASM, SITE = ROOT / "build/wasm", ROOT / "build/web"
COURSE = WASM / "course"
LIMIT_S = 120
SIZES = ("n", "rows", "cols", "width", "height", "block", "bins")
# What is not the run's: paths, and the times that it took.
OWN = ("compile_ms", "run_ms", "counters")


class Node:
    """A process of node that runs one command after the other."""

    def __init__(self):
        self.process = subprocess.Popen(["node", ROOT / "tests/web/runs.js", WASM / "program.js", COURSE], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, cwd=ROOT)

    def run(self, arguments):
        timer = threading.Timer(LIMIT_S, self.process.kill)
        timer.start()
        try:
            self.process.stdin.write(json.dumps(arguments) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            timer.cancel()
        if line:
            return json.loads(line)
        self.__init__()
        return {"code": None, "out": "", "err": f"node ended, or ran longer than {LIMIT_S} s", "ms": 0}


def changed(printed):
    """--set with another value of the first parameter that sets a size; the values are those that the run printed."""
    try:
        values = json.loads(printed)["parameters"]
    except (KeyError, ValueError):
        return None
    name = next((name for name in SIZES if name in values), None)
    return name and ["--set", f"{name}={values[name] // 2 if values[name] > 1 else 3}"]


def plain(text):
    try:
        return {key: value for key, value in json.loads(text).items() if key not in OWN}
    except ValueError:
        return text


def first_difference(native, web, place=""):
    if isinstance(native, dict) and isinstance(web, dict):
        for key in native.keys() | web.keys():
            if native.get(key) != web.get(key):
                return first_difference(native.get(key), web.get(key), f"{place}.{key}")
    if isinstance(native, list) and isinstance(web, list) and len(native) == len(web):
        for index, (one, other) in enumerate(zip(native, web)):
            if one != other:
                return first_difference(one, other, f"{place}[{index}]")
    return f"{place or 'the output'}: native {str(native)[:300]}, browser {str(web)[:300]}"


class Equality:
    def __init__(self, build, report, table):
        self.build, self.report, self.table = build, report, table
        self.lock = threading.Lock()
        self.times = []

    def native(self, arguments):
        with tempfile.TemporaryDirectory(prefix="lanescope-web-") as home:
            return run([str(self.build / "lanescope"), *arguments], cwd=COURSE, timeout_s=LIMIT_S,
                       env=clean_environment(home) | {"LANESCOPE_HOME": str(COURSE), "LANESCOPE_LANGUAGE": "en"})

    def compare(self, node, file, options):
        arguments = ["run", file, "--json", *options]
        name = " ".join(arguments[1:2] + options)
        code, out, err = self.native(arguments)
        seen = node.run(arguments)
        with self.lock:
            if self.table:
                print(f"{name:70} {seen['ms']:8.0f} ms", flush=True)
            if code is None or code == 2 and not seen["code"] == 2:
                self.report.failure(name, f"native exit {code}: {err[:300]}\nbrowser exit {seen['code']}: {seen['err'][:300]}")
            elif code != seen["code"] or plain(out) != plain(seen["out"]):
                self.report.failure(name, f"exit {code} and {seen['code']}\n{first_difference(plain(out), plain(seen['out']))}\n{seen['err'][:600]}")
            else:
                self.report.success(name)
        return out

    def work(self, files):
        node = Node()
        while True:
            try:
                file = files.get_nowait()
            except Empty:
                break
            printed = self.compare(node, file, [])
            self.compare(node, file, ["--code", "optimized"])
            if other := changed(printed):
                self.compare(node, file, other)
            if file.removeprefix("kernels/").removesuffix(".cu") in TOUCHED:
                self.compare(node, file, ["--clock"])
        node.process.stdin.close()
        node.process.wait()


def check_parity(report):
    """The machine's instructions beside the recorded results of a GPU, as unit_parity compares them natively."""
    results = output_folder("web") / "parity.json"
    results.unlink(missing_ok=True)
    code, out, err = run(["node", str(WASM / "unit_parity.js"), f"--gtest_output=json:{results}"], cwd=ROOT, timeout_s=5 * LIMIT_S,
                         env=os.environ)
    if not results.exists():
        report.failure("parity", f"exit {code}: {out[-600:]}\n{err[-600:]}")
        return
    for suite in json.loads(results.read_text())["testsuites"]:
        for case in suite["testsuite"]:
            if failures := case.get("failures"):
                report.failure(f"parity: {case['name']}", "\n".join(failure["failure"] for failure in failures))
            elif case["result"] == "COMPLETED":
                report.success(case["name"])


def check_memory(report):
    """What a tab cannot hold is refused with its limit."""
    node = Node()
    seen = node.run(["run", "kernels/reduction/modulo.cu", "--set", f"n={1 << 28}"])
    node.process.kill()
    if seen["code"] == 2 and "needs 1024 MiB (at most 512 MiB are allowed)" in seen["err"]:
        report.success("memory")
    else:
        report.failure("memory", f"exit {seen['code']}: {seen['err'][:300]}")


def check_installed(report, build):
    """An installation has the version for browsers, and writes it with a file of its own."""
    with tempfile.TemporaryDirectory(prefix="lanescope-web-") as folder:
        prefix, site, own = Path(folder) / "prefix", Path(folder) / "site", Path(folder) / "mine.cu"
        own.write_text((ROOT / "kernels/reduction/modulo.cu").read_text())
        for command in (["cmake", "--install", str(build), "--prefix", str(prefix)],
                        [str(prefix / "bin/lanescope"), "web", "-o", str(site), str(own)]):
            code, _, err = run(command, cwd=folder, env=clean_environment(folder), timeout_s=LIMIT_S)
            if code != 0:
                report.failure("installed", f"{' '.join(command)}: exit {code}\n{err[-600:]}")
                return
        wanted = {"index.html", "lanescope.js", "worker.js", "program.js", "program.wasm.gz", "course.tar.gz", "own.tar.gz"}
        written = {each.name for each in site.iterdir()}
        if written == wanted:
            report.success("installed")
        else:
            report.failure("installed", f"written: {sorted(written)}")


def lessons(build):
    with tempfile.TemporaryDirectory(prefix="lanescope-web-") as home:
        env = clean_environment(home) | {"LANESCOPE_HOME": str(COURSE)}
        _, out, _ = run([str(build / "lanescope"), "list", "--json"], cwd=COURSE, env=env, timeout_s=LIMIT_S)
    return [str(Path(lesson["file"]).relative_to(COURSE)) for topic in json.loads(out) for lesson in topic["lessons"]]


class Page:
    """The built page in a headless Chromium."""

    def __init__(self, browser, site):
        self.browser, self.site = browser, site

    def open(self, link, **screen):
        self.browser.open(f"{self.site}{link}", **screen)
        self.until("document.documentElement.dataset.drawn || document.getElementById('choices').children.length > 0")

    def until(self, expression, limit_s=60):
        end = time.monotonic() + limit_s
        while not self.browser.value(expression):
            if time.monotonic() > end:
                raise BrowserError(f"{expression} did not become true; the page says: {self.words()}")
            time.sleep(0.05)

    def words(self):
        return self.browser.value("document.getElementById('words').textContent")

    def tap(self, place):
        for kind, points in (("touchStart", [place]), ("touchEnd", [])):
            self.browser.call("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def link(self, holds):
        self.until(f"(document.documentElement.dataset.link || '').includes({json.dumps(holds)})")


def link_opens_a_step_and_keys_move_it(page, _):
    page.open("?lesson=reduction/modulo&step=12&n=64", width=1280, height=720)
    page.link("step=12")
    page.link("n=64")
    page.browser.press("ArrowRight", "ArrowRight")
    page.link("step=14")
    page.browser.press("ArrowLeft")
    page.link("step=13")


def bad_links_say_why(page, _):
    for link, words in (("?lesson=reduction/modulo&step=99999", "--step 99999 does not exist"), ("?lesson=none/such", "no such file"),
                        ("?lesson=../../etc/passwd", "leads out of its folder"), ("?lesson=reduction/modulo&n=abc", "n=abc")):
        page.open(link)
        if "99999" not in link:  # the run shows, and says it in a notice
            page.until(f"document.getElementById('words').textContent.includes({json.dumps(words)})")


def ten_lessons_are_stepped_by_a_finger(page, _):
    for lesson in TOUCHED:
        page.open(f"?lesson={lesson}&step=2", width=1180, height=820, phone=True)
        page.link("step=2")
        for step in (3, 4):
            page.tap(STEP_BUTTON)
            page.link(f"step={step}")


def a_trace_opens_by_its_address(page, build):
    with tempfile.TemporaryDirectory(prefix="lanescope-web-") as folder, Served(folder) as traces:
        code, _, err = run([str(build / "lanescope"), "run", "kernels/scan/blelloch.cu", "--set", "n=16", "--save", f"{folder}/my scan.trace"],
                           cwd=ROOT, env=clean_environment(folder) | {"LANESCOPE_HOME": str(ROOT)}, timeout_s=LIMIT_S)
        if code != 0:
            raise BrowserError(f"the trace: exit {code}: {err}")
        page.open(f"?trace={traces}my%20scan.trace&step=7")
        page.link("step=7")
        if not page.browser.value("document.documentElement.dataset.link").startswith("trace=http"):
            raise BrowserError("the link does not name the trace's address")
        page.open(f"?trace={traces}none.trace")
        page.until("document.getElementById('words').textContent.includes('the server answers 404')")


def what_was_open_comes_again(page, _):
    page.open("")  # the tour, the first time
    page.link("lesson=")
    page.browser.press("Escape")
    time.sleep(5)  # until it is kept
    page.open("?lesson=scan/hillis_steele&step=5")
    page.link("step=5")
    time.sleep(5)
    page.open("")
    page.link("lesson=scan/hillis_steele")


def the_menu_copies_a_link(page, _):
    page.open("?lesson=scan/blelloch&step=5&n=16&token=secret&serve=https://lab.example")
    page.link("step=5")
    page.browser.value("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }")
    page.browser.call("Input.dispatchKeyEvent", {"type": "keyDown", "key": "p", "modifiers": 2, "windowsVirtualKeyCode": 80})
    page.browser.call("Input.dispatchKeyEvent", {"type": "keyUp", "key": "p", "modifiers": 2, "windowsVirtualKeyCode": 80})
    time.sleep(4)  # until the field is there
    for letter in "copy a link":
        page.browser.call("Input.dispatchKeyEvent", {"type": "keyDown", "key": letter, "text": letter})
        page.browser.call("Input.dispatchKeyEvent", {"type": "keyUp", "key": letter})
    time.sleep(4)
    page.browser.press("Enter")
    page.until("window.copied")
    copied = page.browser.value("window.copied")
    if copied != f"{page.site}?lesson=scan/blelloch&step=5&n=16&serve=https%3A%2F%2Flab.example&token=secret":
        raise BrowserError(f"copied: {copied}")


def a_frame_leaves_the_keys_to_its_page(page, _):
    with tempfile.TemporaryDirectory(prefix="lanescope-web-") as folder, Served(folder) as outer:
        (Path(folder) / "slides.html").write_text(f"""<!doctype html><script>keys = []; addEventListener('keydown', event => keys.push(event.key))</script>
            <iframe src="{page.site}?lesson=reduction/modulo&step=12" width="1200" height="700" allow="fullscreen; clipboard-write"></iframe>""")
        page.browser.open(outer + "slides.html")
        time.sleep(8)  # until the frame draws
        page.browser.press("ArrowRight")
        heard = page.browser.value("keys.join()")
        if heard != "ArrowRight":
            raise BrowserError(f"the page around the frame heard '{heard}'")


def one_file_opens_from_the_disk(page, build):
    with tempfile.TemporaryDirectory(prefix="lanescope-web-") as folder:
        own = Path(folder) / "mine.cu"
        own.write_text((ROOT / "kernels/reduction/modulo.cu").read_text().replace("s[2 * t]", "s[t * 2]"))
        out = Path(folder) / "one.html"
        env = clean_environment(folder) | {"LANESCOPE_HOME": str(ROOT)}
        code, _, err = run([str(build / "lanescope"), "web", "--single", "-o", str(out), str(own)], cwd=folder, env=env, timeout_s=LIMIT_S)
        if code != 0:
            raise BrowserError(f"lanescope web: exit {code}: {err}")
        page.browser.open(out.as_uri())
        page.until("document.documentElement.dataset.drawn")
        page.link("lesson=lessons/mine")


CASES = (link_opens_a_step_and_keys_move_it, bad_links_say_why, ten_lessons_are_stepped_by_a_finger, one_file_opens_from_the_disk,
         a_trace_opens_by_its_address, what_was_open_comes_again, the_menu_copies_a_link, a_frame_leaves_the_keys_to_its_page)
TOUCHED = ("first_steps/vector_add", "reduction/modulo", "scan/blelloch", "histogram/privatised", "convolution/tiled_2d", "transpose/tiled",
           "atomics/lost_update", "matmul/tiled", "sorting/bitonic", "pipelines/pipeline")
STEP_BUTTON = {"x": 108, "y": 659}  # "one step forward" of the transport at 1180 × 820, in pixels of CSS


def check_pages(report, build, names):
    cases = [case for case in CASES if not names or any(name in case.__name__ for name in names)]
    if not find():
        for case in cases:
            report.skip(case.__name__, "no Chromium")
        return
    with tempfile.TemporaryDirectory(prefix="lanescope-web-") as folder, Served(SITE) as site:
        browser = Browser(find(), Path(folder), "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
        page = Page(browser, site)
        for case in cases:
            try:
                case(page, build)
                report.success(case.__name__)
            except BrowserError as problem:
                browser.screenshot(output_folder("web") / f"{case.__name__}.png")
                report.failure(case.__name__, str(problem))
        browser.close()


class Served:
    """A folder on a server of its own, whose files pages of other servers may read; the value is its address."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def end_headers(self):
            self.send_header("Access-Control-Allow-Origin", "*")
            super().end_headers()

    def __init__(self, folder):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(self.Quiet, directory=str(folder)))

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_address[1]}/"

    def __exit__(self, *_):
        self.server.shutdown()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    report = Report()
    if not (WASM / "program.wasm").exists() or not shutil.which("node"):
        report.skip("web", "the version for browsers is not built: app/web.sh")
        report.finish()
    files = Queue()
    for file in lessons(arguments.build):
        if not arguments.names or any(name in file for name in arguments.names):
            files.put(file)
    equality = Equality(arguments.build, report, arguments.table)
    workers = [threading.Thread(target=equality.work, args=(files,)) for _ in range(os.cpu_count() or 1)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if not arguments.names:
        check_parity(report)
        check_memory(report)
        check_installed(report, arguments.build)
    check_pages(report, arguments.build, arguments.names)
    report.finish()


if __name__ == "__main__":
    main()
