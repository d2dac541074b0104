#!/usr/bin/env python3
"""The program for browsers in node, beside the native one: what both print for every lesson must be equal, byte by byte.

    tests/web/run.py [--build FOLDER] [--table] [LESSON…]    LESSON: part of a file's path; --table: every run with its times

It runs what app/web.sh builds, and skips itself where that is not built. Each lesson runs with its own parameters, as debug and as
optimised code, and with changed parameters.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from queue import Empty, Queue

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness import ROOT, Report, clean_environment, run  # noqa: E402

WASM = ROOT / "build/wasm"
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
        node.process.stdin.close()
        node.process.wait()


def lessons(build):
    with tempfile.TemporaryDirectory(prefix="lanescope-web-") as home:
        env = clean_environment(home) | {"LANESCOPE_HOME": str(COURSE)}
        _, out, _ = run([str(build / "lanescope"), "list", "--json"], cwd=COURSE, env=env, timeout_s=LIMIT_S)
    return [str(Path(lesson["file"]).relative_to(COURSE)) for topic in json.loads(out) for lesson in topic["lessons"]]


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
    report.finish()


if __name__ == "__main__":
    main()
