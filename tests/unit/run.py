#!/usr/bin/env python3
"""Runs every unit-test program of a build folder through ctest and counts GoogleTest's cases.

    tests/unit/run.py [BUILD_FOLDER]          default: build/release
"""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness import ROOT, Report, output_folder  # noqa: E402

CASE_LIMIT_S = 300


def run_ctest(build, results):
    for old in results.glob("*.*"):
        old.unlink()
    summary = results / "ctest.xml"
    env = os.environ | {"GTEST_OUTPUT": f"json:{results}/", "LANESCOPE_CACHE": str(output_folder("cache"))}
    subprocess.run(
        ["ctest", "--test-dir", str(build), "--timeout", str(CASE_LIMIT_S), "--parallel", str(os.cpu_count()),
         "--output-junit", str(summary)],
        env=env, stdout=subprocess.DEVNULL, check=False)
    return xml.parse(summary).getroot().findall("testcase") if summary.exists() else []


def count_cases(report, program, path):
    for suite in json.loads(path.read_text())["testsuites"]:
        for case in suite["testsuite"]:
            name = f"{program}: {suite['name']}.{case['name']}"
            if case["result"] == "SKIPPED":
                reasons = [skipped["message"] for skipped in case.get("skipped", [])]
                report.skip(name, reasons[0].splitlines()[-1] if reasons else "skipped")
            elif failures := case.get("failures"):
                report.failure(name, "\n".join(failure["failure"] for failure in failures))
            elif case["result"] == "COMPLETED":
                report.success(name)


def main():
    build = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "release").resolve()
    results = output_folder(f"unit-{build.name}")
    report = Report()
    for test in run_ctest(build, results):
        program = test.get("name")
        cases = results / f"{program}.json"
        failed_before = report.failed
        if cases.exists():
            count_cases(report, program, cases)
        elif test.get("status") == "run":
            report.success(program)
        # Also what no case shows: a crash, a time limit, a sanitizer's word at the end.
        if test.get("status") != "run" and report.failed == failed_before:
            output = test.findtext("system-out") or ""
            report.failure(f"{program}: the program did not finish well", "\n".join(output.splitlines()[-30:]))
    report.finish()


main()
