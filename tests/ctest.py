#!/usr/bin/env python3
"""Runs the ctest tests of a build folder that carry one of the labels, and counts their cases.

    tests/ctest.py LABEL[,LABEL…] [BUILD_FOLDER]          default: build/release

A test is either a GoogleTest program, whose cases are counted one by one, or a runner whose last line is
"N passed, N failed, N skipped".
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, Report, output_folder  # noqa: E402

LIMIT_S, SANITIZED_LIMIT_S = 300, 1000  # of a test program; sanitizers make it several times slower
PASSED_LINE = re.compile(r"\[ (RUN     |      OK) \]|\[-{10}\]|$")
COUNTS = re.compile(r"(\d+) passed, (\d+) failed, (\d+) skipped")


def run_ctest(build, select, results):
    """Returns the test cases of ctest's report, and what it says of those that failed: "Timeout", "SIGPIPE" …"""
    summary = results / "ctest.xml"
    sanitized = re.search(r"^LANESCOPE_SANITIZE:\w+=\w", (build / "CMakeCache.txt").read_text(), re.MULTILINE)
    limit = SANITIZED_LIMIT_S if sanitized else LIMIT_S
    # A folder of this run alone, so that neither other users nor other checkouts share its files. Its name is an awkward one,
    # except for the suite that types such names on a keyboard.
    with tempfile.TemporaryDirectory(prefix="ls" if "window" in select[-1] else "lanescope tests ü ") as folder:
        os.chmod(folder, 0o711)  # some cases have another user
        env = os.environ | {"GTEST_OUTPUT": f"json:{results}/", "LANESCOPE_CACHE": str(output_folder("cache")), "TMPDIR": folder, "TEST_TMPDIR": folder}
        done = subprocess.run(
            ["ctest", "--test-dir", str(build), *select, "--timeout", str(limit),
             "--parallel", str(os.cpu_count()), "--test-output-size-passed", "1000000", "--test-output-size-failed", "1000000",
             "--output-junit", str(summary)],
            env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    tests = xml.parse(summary).getroot().findall("testcase") if summary.exists() else []
    return tests, dict(re.findall(r"^\s*\d+ - (\S+) \((.+)\)$", done.stdout, re.MULTILINE))


def reason_of(case, output):
    """Returns why a case was skipped. Only later versions of GoogleTest put the reason into the JSON."""
    said = output.partition(f"[ RUN      ] {case}\n")[2].partition("[  SKIPPED ]")[0].strip().splitlines()
    return said[-1] if said else "no reason was given"


def count_cases(report, program, path, output):
    for suite in json.loads(path.read_text())["testsuites"]:
        for case in suite["testsuite"]:
            name = f"{program}: {suite['name']}.{case['name']}"
            if case["result"] == "SKIPPED":
                report.skip(name, reason_of(f"{suite['name']}.{case['name']}", output))
            elif failures := case.get("failures"):
                report.failure(name, "\n".join(failure["failure"] for failure in failures))
            elif case["result"] == "COMPLETED":
                report.success(name)


def count_lines(report, output):
    """Adds the counts of the last line, and prints the lines above it. Returns False if the last line has no counts."""
    *said, last = output.strip().splitlines() or [""]
    counts = COUNTS.fullmatch(last)
    if not counts:
        return False
    if said:
        print("\n".join(said))
    passed, failed, skipped = map(int, counts.groups())
    report.passed += passed
    report.failed += failed
    report.skipped += skipped
    return True


def main():
    labels = sys.argv[1].split(",")
    build = Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "build" / "release").resolve()
    results = output_folder(f"ctest-{build.name}-{'-'.join(labels)}")
    report = Report()
    for old in results.glob("*.*"):
        old.unlink()
    tests, reasons = run_ctest(build, ["--label-regex", f"^({'|'.join(labels)})$"], results)
    for test in tests:
        name, status, output = test.get("name"), test.get("status"), test.findtext("system-out") or ""
        cases = results / f"{name}.json"
        failed_before = report.failed
        if cases.exists():
            count_cases(report, name, cases, output)
        elif not count_lines(report, output) and status == "run":
            report.success(name)
        # No case shows a crash, a time limit or a sanitizer's message at the end of the program.
        if status == "fail" and report.failed == failed_before:
            report.failure(f"{name}: the program ended in error after {float(test.get('time')):.0f} s "
                           f"({reasons.get(name, 'for a reason that ctest does not tell')})",
                           "\n".join([line for line in output.splitlines() if not PASSED_LINE.match(line)][-30:]))
    report.finish()


main()
