#!/usr/bin/env python3
"""Tests the Python package against the program: runs, errors, notebooks, marks and the plug-in of pytest.

    tests/python/run.py [--build FOLDER] [CASE…]     CASE: part of a case's name

Writes executed notebooks to build/tests/python.
"""

import argparse
import contextlib
import gc
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent), str(Path(__file__).resolve().parent.parent / "page"),
                str(Path(__file__).resolve().parent.parent.parent / "app" / "python")]
import browser as chromium  # noqa: E402
from harness import ROOT, Report, clean_environment, output_folder, run  # noqa: E402

NEEDED = ("numpy", "nbclient", "nbformat", "ipykernel")
SYSTEM = "/usr/bin/python3"
if any(importlib.util.find_spec(name) is None for name in NEEDED) and os.path.realpath(sys.executable) != os.path.realpath(SYSTEM) and \
        subprocess.run([SYSTEM, "-c", "import " + ", ".join(NEEDED)], capture_output=True, check=False).returncode == 0:
    os.execv(SYSTEM, [SYSTEM, *sys.argv])

import lanescope as ls  # noqa: E402
from lanescope import grading  # noqa: E402
from lanescope.program import call  # noqa: E402

OUTPUT = output_folder("python")
LIMIT_S = 120
EXERCISES = ROOT / "kernels"


class Failure(Exception):
    pass


class Skip(Exception):
    pass


def check(condition, what):
    if not condition:
        raise Failure(what)


def same(got, wanted, what):
    check(got == wanted, f"{what}: {got!r}, expected {wanted!r}")


def need(*modules):
    for name in modules:
        if importlib.util.find_spec(name) is None:
            raise Skip(f"no {name} for {sys.executable}")


def raised(kind, action, *parts, line=None):
    """The error of this kind whose message has all parts."""
    try:
        result = action()
    except ls.LanescopeError as error:
        check(type(error) is kind, f"{type(error).__name__} instead of {kind.__name__}: {error}")
        for part in parts:
            check(part in str(error), f"no {part!r} in: {error}")
        check(line is None or error.line == line, f"line {error.line}, expected {line}: {error}")
        return error
    raise Failure(f"no error, but {result!r}")


def kernel_text(file):
    return (EXERCISES / file).read_text(encoding="utf-8").split("---*/\n", 1)[1]


# --- Runs -------------------------------------------------------------------------------------------------------------

def a_run_is_that_of_the_command_line(home):
    """Metrics, launches, parameters, steps and buffers are those that the program prints."""
    need("numpy")
    done = ls.run("scan/blelloch", n=16)
    code, out, _ = run([str(ls.program()), "run", "kernels/scan/blelloch.cu", "--set", "n=16", "--steps"], cwd=ROOT, env=os.environ, timeout_s=LIMIT_S)
    listed = re.findall(r"^ *(\d+) +line (\d+) +phase (\d+) +(?:w\d+:[0-9a-f]{8} )+ (.*)$", out, re.MULTILINE)
    same(code, 0, "exit")
    same([(str(step.number), str(step.line), str(step.phase), step.text) for step in done.steps], listed, "steps")
    same(done.step(11).lanes, 8, "lanes that add in the first round")
    same([step.lanes for step in done.steps if step.text == "s[right] += s[left];"], [8, 4, 2, 1], "lanes of the up-sweep")
    same((done.ok, done.parameters, done.metrics["barriers"]), (True, {"n": 16}, 9), "report")
    same((done.launches[0].kernel, done.launches[0].block, done.launches[0].steps), ("scan", (8, 1, 1), len(listed)), "launch")
    numbers = done.buffers["in"].tolist()
    same(done.buffers["out"].tolist(), [sum(numbers[:i]) for i in range(16)], "sums")
    same((str(done.buffers["out"].dtype), list(done.buffers)), ("int32", ["in", "out"]), "buffers")
    same([(element.inputs, element.operations) for element in done.flow("out")[1:4]],
         [({"in": [0]}, 1), ({"in": [0, 1]}, 2), ({"in": [0, 1, 2]}, 3)], "flow")
    check(done.clock["microseconds"] > 0 and done.layout["launches"] and done.resources["kernels"], "clock, layout, resources")


def sources_and_extents(home):
    """A text runs without a file; block and grid are parameters where the file has them, else those of the proposed launch."""
    need("numpy")
    text = "__global__ void twice(int* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] *= K; }"
    done = ls.run(source=text, n=6, grid=2, block=(4,), fill={"a": "iota"}, count={"a": "n"}, define={"K": 3})
    same((done.launches[0].grid, done.launches[0].block), ((2, 1, 1), (4, 1, 1)), "extents")
    same(done.buffers["a"].tolist(), [0, 3, 6, 9, 12, 15], "buffer")
    same(ls.run("reduction/modulo", n=64, block=32).launches[0].block, (32, 1, 1), "block of the front matter")
    same(ls.run("reduction/modulo", set={"n": 64}).parameters["n"], 64, "a parameter in `set`")
    same(ls.run("atomics/lost_update", schedule="all").report["schedules"], 20, "schedules")


def a_race_has_both_sides(home):
    done = ls.run(EXERCISES / "scan/exercises/fix_the_race.cu")
    race = done.problems[0]
    same((done.ok, race.kind, race.line, race.severity), (False, "race", 31, "error"), "problem")
    same((race.first.access, race.first.thread, race.second.access, race.second.thread), ("load", 32, "store", 31), "accesses")
    check(race.hint.startswith("__syncthreads()") and race.file.endswith("fix_the_race.cu") and race.second.step > 0, f"{race!r}")
    check("31: race:" in repr(done), repr(done))


def pictures_show_the_step(home):
    done = ls.run("scan/blelloch", n=8)
    first, second = (done.step(number).picture(size=(900, 600)) for number in (5, 12))
    for picture in (first, second):
        same((picture.png[:8], int.from_bytes(picture.png[16:20], "big"), int.from_bytes(picture.png[20:24], "big")),
             (b"\x89PNG\r\n\x1a\n", 900, 600), "PNG")
    check(first.png != second.png, "two steps have the same picture")
    second.save(home / "step.png")
    same((home / "step.png").read_bytes(), second._repr_png_(), "file")
    raised(ls.BadInput, lambda: done.picture(1000), "--step 1000", "1 to")
    raised(ls.BadInput, lambda: done.picture(5, view="nope"), "nope")
    raised(ls.BadInput, lambda: done.show(view="layout"), "no view 'layout'", "picture()")
    loop = "__global__ void k(int* a, int n) {\n    for (int i = 0; i < n; ++i)\n        a[0] += i * i;\n}"
    large, module = ls.run(source=loop, n=3000, block=1, grid=1, fill={"a": "zero"}), sys.modules["lanescope.run"]
    limit, module.PAGE_BYTES = module.PAGE_BYTES, len(large.show().html) * 9 // 10
    try:
        error = raised(ls.BadInput, large.show, "too much for a notebook", 'steps="1..')
        steps = re.search(r'"(1\.\.\d+)"', error.hint)[1]
        check(large.show(steps=steps).html, f"{steps} do not fit either")
    finally:
        module.PAGE_BYTES = limit


# --- Errors -----------------------------------------------------------------------------------------------------------

def errors_say_where(home):
    compiled = raised(ls.BadInput, lambda: ls.run(source="__global__ void k(int* a) {\n    a[0] = first;\n    a[1] = second;\n}", name="my.cu"),
                      'identifier "first" is undefined', line=2)
    same((compiled.file, compiled.column, len(compiled.more)), ("my.cu", 12, 1), "place")
    check("second" in compiled.more[0] and compiled.more[0].startswith("my.cu:3:"), compiled.more[0])
    unknown = raised(ls.BadInput, lambda: ls.run("scan/blelloch", m=3), "unknown parameter 'm'")
    same(unknown.hint, "known: n", "hint")
    raised(ls.BadInput, lambda: ls.run("nope.cu"), "no such file")
    raised(ls.BadInput, lambda: ls.run("scan/nope"), "no such file or lesson")
    raised(ls.BadInput, lambda: ls.run("scan/blelloch", schedule="rq"), "rq")
    raised(ls.BadInput, lambda: ls.run("scan/blelloch", n=8).flow("nope"), "nope", "in, out")
    raised(ls.BadInput, lambda: ls.check("kernels/scan/nope.cu", "scan/fix_the_race"), "no such file")
    raised(ls.BadInput, lambda: ls.check(source="", exercise="scan/nope"), "there is no exercise 'scan/nope'")
    if not any(Path("/dev").glob("nvidia[0-9]*")):
        raised(ls.EngineMissing, lambda: ls.run("scan/blelloch", engine="gpu"), "engine 'gpu' is not available")
        raised(ls.EngineMissing, lambda: ls.time("scan/blelloch"), "driver")


def hostile_names_are_names(home):
    """No name, value or text becomes an option, a command or markup."""
    for name in ("--json.cu", "-o x.cu", "a'b\"c$(touch pwned);&.cu", "zeile\n2 ü.cu", "a=b,[c].cu"):
        file = home / name
        shutil.copy(EXERCISES / "scan/blelloch.cu", file)
        os.chdir(home)
        check(ls.run(name, n=4).ok, f"{name!r} does not run")
        check(ls.run(file, n=4).picture(3, size=(640, 480)).png, f"{name!r} has no picture")
    raised(ls.BadInput, lambda: ls.run("scan/blelloch", n="4 --save=pwned"), "n=4 --save=pwned")
    raised(ls.BadInput, lambda: ls.run("scan/blelloch", set={"n=4 --save": "pwned"}), "--save")
    raised(ls.BadInput, lambda: ls.run("a\0b.cu"), "zero byte")
    raised(ls.BadInput, lambda: ls.run("scan/blelloch", n=4).picture(3, output="pwned.png"))
    page = ls.run(source="// </script><script>parent.pwned = 1</script>\n__global__ void k(int* a) { a[0] = 1; }", block=1).show()
    check("</script><script>parent" not in page.html, "markup of the source is in the page")
    check(page._repr_html_().count("<") == 2, "markup of the page is outside of its frame")
    verdict = ls.check(source="<b>" * 3, exercise="scan/fix_the_race", name="../../../pwned.cu")
    check("<b><b>" not in verdict._repr_html_(), "markup of an error is in the verdict")
    same([path.name for path in home.rglob("*pwned*") if "touch" not in path.name], [], "files that were written")


def limits_end_a_run(home):
    endless = ls.run(source="__global__ void k(volatile int* a) { while (a[0] >= 0) a[1] += 1; }", block=1, fill={"a": "zero"}, timeout=1)
    check(not endless.ok and endless.problems[-1].kind in ("timeout", "step_limit", "deadlock"), repr(endless))
    sleeper = home / "lanescope"
    sleeper.write_text("#!/bin/sh\nsleep 60 & echo $! >child\nwait\n")
    sleeper.chmod(0o755)
    with variable("LANESCOPE_PROGRAM", str(sleeper)):
        began = time.monotonic()
        raised(ls.TimeLimit, lambda: call([], cwd=home, timeout_s=0.5), "0.5 s")
        check(time.monotonic() - began < 10, "the limit came late")
    child = int((home / "child").read_text())
    time.sleep(0.1)
    state = Path(f"/proc/{child}/stat")
    check(not state.exists() or state.read_text().split()[2] == "Z", "what the program started still runs")


class variable:
    def __init__(self, name, value):
        self.name, self.value = name, value

    def __enter__(self):
        self.before = os.environ.get(self.name)
        os.environ[self.name] = self.value

    def __exit__(self, *_):
        os.environ.pop(self.name) if self.before is None else os.environ.update({self.name: self.before})


def a_missing_program_says_so(home):
    with variable("LANESCOPE_PROGRAM", str(home / "nope")):
        raised(ls.ProgramMissing, ls.program, "$LANESCOPE_PROGRAM", "nope")
    (home / "text").write_text("no program")
    (home / "text").chmod(0o755)
    with variable("LANESCOPE_PROGRAM", str(home / "text")):
        raised(ls.ProgramMissing, ls.lessons, "does not start")
    (home / "crash").write_text("#!/bin/sh\nkill -SEGV $$\n")
    (home / "crash").chmod(0o755)
    with variable("LANESCOPE_PROGRAM", str(home / "crash")):
        raised(ls.LanescopeError, ls.lessons, "signal 11")


def runs_leave_nothing_and_share_nothing(home):
    """Runs beside each other have their own folders, and no folder stays; a file that changed is not drawn as the run that it was."""
    need("numpy")
    before = tempfile.tempdir
    tempfile.tempdir = str(home)
    try:
        def sums(n):
            done = ls.run(source=kernel_text("scan/blelloch.cu"), n=n, grid=1, block=n // 2, shared=4 * n, fill={"in": "iota"},
                          count={"in": "n", "out": "n"})
            return done.buffers["out"].tolist()
        with ThreadPoolExecutor(4) as pool:
            for n, got in zip((4, 8, 16, 32), pool.map(sums, (4, 8, 16, 32))):
                same(got, [i * (i - 1) // 2 for i in range(n)], f"n = {n}")
        gc.collect()
        same(list(home.iterdir()), [], "folders that stay")
    finally:
        tempfile.tempdir = before
    file = home / "k.cu"
    file.write_text("__global__ void k(int* a) { a[0] = 1; }")
    done = ls.run(file, block=1)
    file.write_text("__global__ void k(int* a) { a[0] = 22; }")
    raised(ls.BadInput, done.picture, "has changed since this run")


# --- Notebooks --------------------------------------------------------------------------------------------------------

# What the outputs must say, and the points of the exercise as it stands.
NOTEBOOKS = {
    "reduction": (["[32, 16, 8, 4, 2, 1]", r"simt_efficiency +0\.73\d+ +0\.95", r"shared_conflict_degree +2 +1", "6 additions one after the other, of 63"],
                  "reduction/remove_the_divergence", "2 of 5"),
    "scan": ([r"reads? .*line 30|read in line 30", r"__syncthreads\(\) between line 30 and line 32", r"1024 +9217 +2046",
              r"out\[3\] = in\[0\] \+ in\[1\] \+ in\[2\]: 3 additions, 3 in a row"], "scan/make_it_exclusive", "0 of 6"),
    "transpose": (["load: 4 sectors", "store: 32 sectors", "worst access needs 32 passes", "1 pass, True", "^True$"], "transpose/remove_the_conflicts", "3 of 6"),
    "races": (["race in line 5", r"\[1\] after 18 of 20 schedules", r"\[2\] after 2 of 20 schedules", r"array\(\[2\]", r"\(\[\[2\]\], 2\)", "cell:6: race:",
               r"in_global: .* 64 passes", r"in_shared: .* 8 passes"], "atomics/no_lost_update", "0 of 6"),
}


def executed(cells, home, name, allow_errors=False):
    import nbclient
    import nbformat
    texts = [cell if isinstance(cell, str) else cell.source for cell in cells if isinstance(cell, str) or cell.cell_type == "code"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in texts])
    client = nbclient.NotebookClient(notebook, timeout=LIMIT_S, kernel_name="python3", allow_errors=allow_errors, resources={"metadata": {"path": str(home)}})
    try:
        client.execute(env=os.environ | {"PYTHONPATH": str(ROOT / "app" / "python"), "PYDEVD_DISABLE_FILE_VALIDATION": "1"})
    except nbclient.exceptions.CellExecutionError as error:
        raise Failure(f"{name}: {error}") from None
    (OUTPUT / f"{name}.ipynb").write_text(nbformat.writes(notebook), encoding="utf-8")
    return notebook.cells


def said(cell):
    """What a cell prints and returns, as text."""
    return "\n".join(output["text"] if output.output_type == "stream" else "\n".join(output.get("traceback", [])) if output.output_type == "error"
                     else output["data"].get("text/plain", "") for output in cell.get("outputs", []))


def frames(cells):
    return [output["data"]["text/html"] for cell in cells for output in cell.get("outputs", [])
            if output.output_type in ("display_data", "execute_result") and "<iframe" in output["data"].get("text/html", "")]


def notebook_says(name, home):
    need(*NEEDED)
    import nbformat
    file = ROOT / "notebooks" / f"{name}.ipynb"
    notebook = nbformat.read(file, 4)
    check(file.stat().st_size < 20_000 and not any(cell.get("outputs") for cell in notebook.cells), "the notebook is kept without outputs")
    patterns, exercise, points = NOTEBOOKS[name]
    solution = f"%%lanescope --exercise {exercise}\n" + kernel_text(f"{exercise.replace('/', '/exercises/')}.solution.cu")
    cells = executed([*notebook.cells, solution], home, name)
    text = "\n".join(map(said, cells))
    for pattern in patterns:
        check(re.search(pattern, text, re.MULTILINE), f"no {pattern} in:\n{text}")
    verdicts = re.findall(rf"^{exercise}: (.*) points$", text, re.MULTILINE)
    same((verdicts[0], len(set(verdicts[1].split(" of ")))), (points, 1), f"verdicts {verdicts}: the starter file's, then all points")
    pages = sum(cell.source.startswith(("%%lanescope", "%lanescope run")) and "--exercise" not in cell.source for cell in cells)
    check(pages >= 1 and len(frames(cells)) >= pages, f"{len(frames(cells))} pages of {pages} cells")
    errors = [output for cell in cells for output in cell.get("outputs", []) if output.get("name") == "stderr"]
    same(errors, [], "standard error")


def the_notebook_reduction(home):
    notebook_says("reduction", home)


def the_notebook_scan(home):
    notebook_says("scan", home)


def the_notebook_transpose(home):
    notebook_says("transpose", home)


def the_notebook_races(home):
    notebook_says("races", home)


def cells_run_judge_and_say_what_is_wrong(home):
    need(*NEEDED)
    cells = executed(["%load_ext lanescope",
                      "%%lanescope n=8 block=8 --as mine --step 2\n__global__ void k(int* a, int n) {\n    if (threadIdx.x < n) a[threadIdx.x] = n;\n}",
                      "mine is _, mine.parameters, mine.buffers['a'].tolist()",
                      "%%lanescope\n__global__ void k(int* a) {\n    a[0] = first;\n}",
                      "%%lanescope --stp 3\n__global__ void k(int* a) {}",
                      "%%lanescope n 'a\n__global__ void k(int* a) {}",
                      "%%lanescope block=64\n__global__ void k(int* a) {\n    a[0] = threadIdx.x;\n}",
                      "%lanescope run scan/blelloch n=16 --step 12 --view flow",
                      "%lanescope check nope.cu --exercise scan/fix_the_race"], home, "cells", allow_errors=True)
    told = [said(cell) for cell in cells]
    check("(True, {'n': 8}, [8, 8, 8, 8, 8, 8, 8, 8])" in told[2], told[2])
    check("cell:3:12:" in told[3] and told[3].endswith("a[0] = first;\n" + " " * 15 + "^") and "Traceback" not in told[3], told[3])
    check("--stp" in told[4] and "--step" in told[4], told[4])
    check("no closing quotation" in told[5], told[5])
    check("cell:3: race:" in told[6], told[6])
    check('data-at=&quot;step=12&amp;amp;view=flow&quot;' in frames(cells[7:8])[0], "the page begins elsewhere")
    check("nope.cu: no such file" in told[8], told[8])


def a_page_steps_in_its_frame(home):
    """In a notebook's output, keys and buttons step; the frame reaches neither the notebook nor a network."""
    if not chromium.find():
        raise Skip("no Chromium")
    shown = ls.run("scan/blelloch", n=16).show(12, "flow")
    (home / "notebook.html").write_text(f"<!DOCTYPE html><meta charset=utf-8><body>{shown._repr_html_()}</body>", encoding="utf-8")
    browser = chromium.Browser(chromium.find(), home)
    try:
        browser.open((home / "notebook.html").as_uri(), 1200, 700)
        browser.call("DOM.enable")
        place = "document.querySelector('#place').textContent"
        inside = FrameOf(browser)
        check(inside.until(place, lambda text: text.startswith("after step 12 of")), inside.value(place))
        same(inside.value("document.querySelector('#flow').hidden"), False, "the flow is hidden")
        same(inside.value("document.querySelector('#failure').textContent"), "", "what failed")
        same(inside.value("(() => { try { return String(parent.document.title) } catch (e) { return e.name } })()"), "SecurityError", "the notebook")
        left, top = browser.value("(b => [b.left, b.top])(document.querySelector('iframe').getBoundingClientRect())")

        def click(x, y):
            for kind in ("mousePressed", "mouseReleased"):
                browser.call("Input.dispatchMouseEvent", {"type": kind, "x": left + x, "y": top + y, "button": "left", "clickCount": 1})

        # The browser gives a frame the keyboard some time after the click: until then keys are lost.
        for _ in range(10):
            click(20, 20)
            browser.press("ArrowRight")
            if inside.until(place, lambda text: not text.startswith("after step 12 of"), 2):
                break
        behind = inside.value(place)
        check(behind.startswith("after step 1") and not behind.startswith("after step 12 of"), "→ does not step: " + behind)
        x, y = inside.value("(b => [b.left + b.width / 2, b.top + b.height / 2])(document.querySelector('#back').getBoundingClientRect())")
        click(x, y)
        check(inside.until(place, lambda text: text != behind), "the button does not step: " + behind)
        browser.screenshot(OUTPUT / "frame.png")
        same(browser.complaints(), [], "errors and requests")
    finally:
        browser.close()


class FrameOf:
    """JavaScript in the only frame of a page, which may live in a process of its own."""

    def __init__(self, browser):
        self.browser = browser
        page, browser.session = browser.session, None
        targets = [each for each in browser.call("Target.getTargets")["targetInfos"] if each["type"] == "iframe"]
        self.session = browser.call("Target.attachToTarget", {"targetId": targets[0]["targetId"], "flatten": True})["sessionId"] if targets else None
        browser.session = page
        self.page = page

    def value(self, expression):
        parameters = {"expression": expression, "returnByValue": True}
        if self.session:
            self.browser.session = self.session
        else:
            contexts = [event["params"]["context"] for event in self.browser.events if event["method"] == "Runtime.executionContextCreated"]
            parameters["contextId"] = contexts[-1]["id"]
        try:
            return self.browser.call("Runtime.evaluate", parameters)["result"].get("value")
        finally:
            self.browser.session = self.page

    def until(self, expression, holds, limit_s=20):
        deadline = time.monotonic() + limit_s
        while time.monotonic() < deadline:
            if holds(self.value(expression) or ""):
                return True
            time.sleep(0.05)
        return False


# --- Marks and tests --------------------------------------------------------------------------------------------------

def marks_are_shares_of_the_points(home):
    divergent, solution = (kernel_text(f"reduction/exercises/remove_the_divergence{kind}.cu") for kind in ("", ".solution"))
    name = "reduction/remove_the_divergence"
    same([grading.grade(name, text, points=10) for text in (divergent, solution)], [4.0, 10.0], "points")
    same(grading.grade(name, ls.check(source=solution, exercise=name)), 5.0, "points of a verdict")
    for text, options in (("int x = ;", {}), (divergent, {"partial": False})):
        try:
            raise Failure(f"no assertion, but {grading.grade(name, text, **options)}")
        except AssertionError as error:
            check(str(error).startswith(name + ": "), str(error))


# https://gradescope-autograders.readthedocs.io, "Output format": what a test and the whole may have.
OF_RESULTS = {"score": (int, float), "execution_time": (int, float), "output": str, "output_format": str, "visibility": str, "stdout_visibility": str,
              "extra_data": dict, "tests": list, "leaderboard": list}
OF_TEST = {"score": (int, float), "max_score": (int, float), "status": str, "name": str, "name_format": str, "number": str, "output": str,
           "output_format": str, "tags": list, "visibility": str, "extra_data": dict}


def gradescope_gets_results(home):
    """The archive, unpacked as Gradescope does it, judges submissions."""
    same(grading.main(["gradescope", "reduction/fix_the_race", "-o", str(home / "a.zip"), "--file", "my kernel.cu"]), 0, "exit")
    raised(ls.BadInput, lambda: grading.autograder("reduction/nope", home / "b.zip"), "there is no exercise 'reduction/nope'")
    raised(ls.BadInput, lambda: grading.autograder("reduction/fix_the_race", home / "b.zip", package="nope.whl"), "nope.whl")
    check(not (home / "b.zip").exists(), "an archive in spite of an error")
    for folder in ("source", "submission", "results"):
        (home / folder).mkdir()
    with zipfile.ZipFile(home / "a.zip") as archive:
        for entry in archive.infolist():
            archive.extract(entry, home / "source")
            (home / "source" / entry.filename).chmod(entry.external_attr >> 16)
    shutil.copy2(home / "source" / "run_autograder", home / "run_autograder")
    check("pip install lanescope" in (home / "source" / "setup.sh").read_text(), "setup.sh installs nothing")
    judged = []
    for text in (kernel_text("reduction/exercises/fix_the_race.solution.cu"), kernel_text("reduction/exercises/fix_the_race.cu"), "no CUDA", None):
        file = home / "submission" / "my kernel.cu"
        file.unlink(missing_ok=True)
        if text is not None:
            file.write_text(text)
        code, out, err = run([str(home / "run_autograder")], cwd="/", env=os.environ | {"PYTHONPATH": str(ROOT / "app" / "python")}, timeout_s=LIMIT_S)
        same(code, 0, f"exit\n{out}{err}")
        found = json.loads((home / "results" / "results.json").read_text())
        for keys, one in ((OF_RESULTS, found), *((OF_TEST, test) for test in found["tests"])):
            wrong = [name for name, value in one.items() if not isinstance(value, keys.get(name, ()))]
            same(wrong, [], "keys that Gradescope does not document")
        same(sum(test["score"] for test in found["tests"]), found["score"], "sum of the tests")
        check(all(test["status"] in ("passed", "failed") for test in found["tests"]), "status")
        check(("without confinement" in out) != found["extra_data"]["confinement"].startswith("Landlock"), out)
        judged.append((found["score"], len(found["tests"])))
    same(judged, [(7, 4), (0, 4), (0, 0), (0, 0)], "scores")
    check("my kernel.cu is missing" in found["output"], found["output"])
    doctor, grading.doctor = grading.doctor, lambda: {"nvrtc": {"confinement": "none: the kernel offers no Landlock"}}
    try:
        with contextlib.redirect_stdout(io.StringIO()) as told:
            grading.main(["judge", "reduction/fix_the_race", "--submission", str(home / "submission"), "--results", str(home / "r.json")])
    finally:
        grading.doctor = doctor
    check("judged without confinement: none: the kernel offers no Landlock" in told.getvalue(), told.getvalue())
    same(json.loads((home / "r.json").read_text())["stdout_visibility"], "hidden", "who sees the warning")


def pytest_finds_problems_at_their_lines(home):
    need("pytest")
    for file in ("scan/blelloch.cu", "scan/exercises/fix_the_race.cu", "atomics/lost_update.cu"):
        shutil.copy(EXERCISES / file, home)
    (home / "library.cu").write_text("__global__ void k(int* a) { a[0] = first; }\n")
    env = os.environ | {"PYTHONPATH": str(ROOT / "app" / "python")}
    command = [sys.executable, "-m", "pytest", "-p", "lanescope.pytest_plugin", "-p", "no:cacheprovider", "-q"]
    code, out, err = run([*command, "--lanescope-check"], cwd=home, env=env, timeout_s=LIMIT_S)
    check(code == 1 and "1 failed, 2 passed" in out and "fix_the_race.cu:31: race: line 31:" in out and "Traceback" not in out, out + err)
    code, out, err = run([*command, "--lanescope-check", "library.cu"], cwd=home, env=env, timeout_s=LIMIT_S)
    check(code == 1 and 'library.cu:1:36: identifier "first" is undefined' in out, out + err)
    code, out, err = run(command, cwd=home, env=env, timeout_s=LIMIT_S)
    same(code, 5, f"without the option nothing is collected\n{out}{err}")


def the_page_s_examples_run(home):
    """The Python of app/PYTHON.md runs, and gives what its comments say."""
    need("numpy")
    os.chdir(home)
    names = {"answer": kernel_text("reduction/exercises/fix_the_race.solution.cu")}
    for block in re.findall(r"^```python\n(.*?)^```", (ROOT / "app/PYTHON.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        if "ls.trace(" in block:
            continue  # kernels.py runs kernels of Numba and Triton, where these are installed
        for line in block.splitlines():
            code, _, comment = line.partition("  # ")
            if re.match(r"['(]", comment):
                same(repr(eval(code, names)), comment, code)
            else:
                exec(line, names)
    check((home / "flow.png").stat().st_size > 1000, "no picture")


def functions_have_examples(home):
    bare = [name for name in ls.__all__ if callable(getattr(ls, name)) and not isinstance(getattr(ls, name), type) and ">>>" not in (getattr(ls, name).__doc__ or "")]
    same(bare, [], "functions without an example")


CASES = [a_run_is_that_of_the_command_line, sources_and_extents, a_race_has_both_sides, pictures_show_the_step, errors_say_where, hostile_names_are_names,
         limits_end_a_run, a_missing_program_says_so, runs_leave_nothing_and_share_nothing, the_notebook_reduction, the_notebook_scan,
         the_notebook_transpose, the_notebook_races, cells_run_judge_and_say_what_is_wrong, a_page_steps_in_its_frame, marks_are_shares_of_the_points,
         gradescope_gets_results, pytest_finds_problems_at_their_lines, the_page_s_examples_run, functions_have_examples]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("cases", nargs="*", help="run only cases whose name contains one of these")
    options = parser.parse_args()
    report = Report()
    with tempfile.TemporaryDirectory(prefix="lanescope-python-", ignore_cleanup_errors=True) as folder:
        environment = clean_environment(folder) | {"LANESCOPE_PROGRAM": str(options.build.resolve() / "lanescope")}
        os.environ.clear()
        os.environ.update(environment)
        for case in CASES:
            if options.cases and not any(part in case.__name__ for part in options.cases):
                continue
            home = Path(folder, case.__name__)
            home.mkdir()
            os.chdir(ROOT)
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    case(home)
                report.success(f"python: {case.__name__}")
            except Skip as reason:
                report.skip(f"python: {case.__name__}", str(reason))
            except (Failure, ls.LanescopeError, chromium.BrowserError) as problem:
                report.failure(f"python: {case.__name__}", f"{type(problem).__name__}: {problem}")
    report.finish()


main()
