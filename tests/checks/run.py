#!/usr/bin/env python3
"""Runs the kernels of tests/checks: every mistake must be found at its lines, and correct kernels must give no problem, also
with launches that are proposed.

    tests/checks/run.py [--rebase] [--program PATH] [--list] [CASE…]     CASE: part of a name, as in faulty/lock_abba
"""

import argparse
import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from case import Finding, all_cases  # noqa: E402
from harness import ROOT, Report, clean_environment, run  # noqa: E402
from table import Stale, compare  # noqa: E402

LIMIT_S = 120
VARIANTS = [("debug", "rr"), ("debug", "warp"), ("debug", "seed:1"), ("debug", "seed:2"), ("debug", "seed:3"),
            ("optimized", "rr"), ("optimized", "seed:4")]
SHOWN = ("debug", "rr")  # the variant that the table compares


def is_note(problem):
    return problem.get("severity") == "note"


def findings_of(problems):
    """Returns the problems of a run as a set of kinds and lines."""
    sites = ((problem["kind"], {problem[site]["line"] for site in ("first", "second") if problem.get(site)})
             for problem in problems)
    return {Finding(kind, frozenset(lines - {0})) for kind, lines in sites}


def run_case(program, home, case, code, schedule):
    """Returns (exit status, JSON or None, stderr)."""
    command = [str(program), "run", str(case.path), "--json", "--code", code, "--schedule", schedule, *case.arguments]
    status, out, err = run(command, cwd=ROOT, env=clean_environment(home), timeout_s=LIMIT_S)
    return status, json.loads(out) if out.startswith("{") else None, err


def complaints(case, status, report, err):
    if status is None:
        return ["stopped at the time limit"]
    if report is None:
        return [f"exit {status} without a report", *err.splitlines()]
    found = findings_of(problem for problem in report["problems"] if not is_note(problem))
    noted = findings_of(problem for problem in report["problems"] if is_note(problem))
    lines = [f"not found: {' or '.join(sorted(map(str, each)))}" for each in case.finds if not each & found]
    lines += [f"not noted: {each}" for each in case.notes - noted]
    lines += [f"not expected: {each}" for each in found - case.expected]
    lines += [f"note not expected: {each}" for each in noted - case.notes - case.expected]
    kinds = set() if case.guessed else case.kinds
    if status != (0 if {each.kind for each in found} == kinds else 1):
        lines.append(f"exit {status} does not match the problems that the front matter expects")
    if lines:
        lines += [f"  {problem['message']}" for problem in report["problems"]]
        lines += [f"  {each['buffer']}: {each['mismatch']}" for each in report["expect"] if not each["ok"]]
    return lines


def accusations(program, home, case):
    """Runs a correct kernel without its front matter, so that a launch is proposed. What is wrong about the run: nothing may be."""
    text = case.path.read_text(encoding="utf-8").split("---*/", 1)[1]
    with tempfile.TemporaryDirectory(dir=home) as folder:
        path = Path(folder) / case.path.name
        path.write_text(text, encoding="utf-8")
        status, out, err = run([str(program), "run", str(path), "--json"], cwd=ROOT, env=clean_environment(home), timeout_s=LIMIT_S)
    if not out.startswith("{"):
        return [f"exit {status} without a report", *err.splitlines()]
    lines = [problem["message"] for problem in json.loads(out)["problems"] if not is_note(problem)]
    return lines or ([] if status == 0 else [f"exit {status}"])


def own_verdict(case, report):
    """Returns the verdict of Lanescope's run, in the words of sanitizer.verdict."""
    found = findings_of(problem for problem in (report or {"problems": []})["problems"] if not is_note(problem))
    if not case.faulty:
        return "false" if found else "clean"
    right = all(findings & found for findings in case.finds)
    return "found" if right else "elsewhere" if found else "missed"


def check_table(report, cases, verdicts, rebase):
    try:
        outcome = compare(cases, verdicts, rebase)
    except Stale as stale:
        outcome = "failed", str(stale)
    report.verdict("checks: README.md's table", *outcome)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "release" / "lanescope")
    parser.add_argument("--rebase", action="store_true", help="write the table of README.md")
    parser.add_argument("--list", action="store_true", help="print the message of every problem")
    parser.add_argument("--code", help="run only this code")
    parser.add_argument("--schedule", help="run only this schedule")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    program = options.program.resolve()
    cases = all_cases(options.cases)
    cases += (guessed := all_cases(options.cases, ["guessed"]))
    runs = [(case, code, schedule) for case in cases for code, schedule in (VARIANTS[:1] if case.guessed else VARIANTS)
            if case.only in ("", code, schedule) and options.code in (None, code) and options.schedule in (None, schedule)]
    report = Report()
    verdicts = {}
    with tempfile.TemporaryDirectory(prefix="lanescope-") as home, ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda each: run_case(program, home, *each), runs)
        for (case, code, schedule), result in zip(runs, results):
            lines = complaints(case, *result)
            name = f"checks: {case.name} {code} {schedule}"
            if (code, schedule) == SHOWN:
                verdicts[case.name] = own_verdict(case, result[1])
            report.verdict(name, "failed" if lines else "passed", "\n".join(lines))
            if options.list and result[1]:
                for problem in result[1]["problems"]:
                    print(f"{name}: {problem['kind']}: {problem['message']}")
        correct = [case for case in cases if not case.faulty and not case.guessed]
        for case, lines in zip(correct, pool.map(lambda each: accusations(program, home, each), correct)):
            report.verdict(f"checks: {case.name} without front matter", "failed" if lines else "passed", "\n".join(lines))
    cases = [case for case in cases if case not in guessed]
    verdicts = {name: verdict for name, verdict in verdicts.items() if not name.startswith("guessed/")}
    if len(verdicts) == len(all_cases()):
        check_table(report, cases, verdicts, options.rebase)
    report.finish()


if __name__ == "__main__":
    main()
