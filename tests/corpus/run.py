#!/usr/bin/env python3
"""Runs every kernel file of tests/corpus as debug and as optimised code, under several schedules.

    tests/corpus/run.py [--build FOLDER] [FILE…]     FILE: part of a file's name

A run must end with exit 0: it meets the file's own expectations. FINDS lists the files with a mistake. NOT_YET lists the files that the machine cannot run
yet. Such a run must end with a message that locates the unsupported instruction; a run that succeeds is a failure.
"""

import argparse
import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness import ROOT, Report, clean_environment, run  # noqa: E402

LIMIT_S = 120
CODES = ("debug", "optimized")
SCHEDULES = ("rr", "warp", "seed:1")
NOT_YET = {}  # file: the text that its message must name
# The kernel writes data after it has launched grids that use them. A GPU's recording names its exact text.
FINDS = {"k17_dynpar": "problem: race: "}  # file: the only problem


def complaint(build, home, case):
    """Returns what is wrong with one run; None if nothing is."""
    path, code, schedule = case
    status, out, err = run([str(build / "lanescope"), "run", str(path), "--code", code, "--schedule", schedule],
                           cwd=ROOT, env=clean_environment(home), timeout_s=LIMIT_S)
    if status is None:
        return "stopped at the time limit"
    if path.stem in NOT_YET:
        located = re.search(rf"{re.escape(path.name)}:\d+:.*does not support `[^`]*{NOT_YET[path.stem]}", err)
        if status == 0:
            return "the file runs now; remove it from NOT_YET"
        return None if located else f"exit {status}, without a located message\n{err}{out}"
    if path.stem in FINDS:
        problems = [line for line in out.splitlines() if line.startswith("problem: ")]
        fine = status == 1 and problems and all(line.startswith(FINDS[path.stem]) for line in problems)
        return None if fine else f"exit {status}, without '{FINDS[path.stem]}'\n{err}{out}"
    return None if status == 0 else f"exit {status}\n{err}{out}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("files", nargs="*", help="run only files whose name contains one of these")
    options = parser.parse_args()
    build = options.build.resolve()
    report = Report()
    files = [path for path in sorted((ROOT / "tests" / "corpus").glob("k*.cu"))
             if not options.files or any(part in path.name for part in options.files)]
    cases = list(product(files, CODES, SCHEDULES))
    with tempfile.TemporaryDirectory(prefix="lanescope-corpus-") as home, ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, wrong in zip(cases, pool.map(lambda each: complaint(build, home, each), cases)):
            path, code, schedule = case
            report.verdict(f"corpus: {path.stem} {code} {schedule}", "failed" if wrong else "passed", wrong or "")
    report.finish()


main()
