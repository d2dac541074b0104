#!/usr/bin/env python3
"""Runs the golden cases: every tests/golden/**/*.golden names a command and what it must print.

    tests/golden/run.py [--rebase] [--program PATH] [CASE…]     CASE: part of a case's path
"""

import argparse
import difflib
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from case import BadCase, Case, pick, with_newline  # noqa: E402
from harness import ROOT, Report, clean_environment, has_gpu, run  # noqa: E402

FOLDER = Path(__file__).resolve().parent
LIMIT_S = 120
LINKED = ("kernels", "assets", "shaders")


def run_case(case, program, around=lambda command: command):
    """Returns the outcome of each command, in the form of Command.expected. `around` makes the command that is run from one of the case's."""
    with tempfile.TemporaryDirectory(prefix="lanescope-golden-") as name:
        folder = Path(name)
        work = folder / "work"
        work.mkdir()
        for link in LINKED:
            (work / link).symlink_to(ROOT / link)
        case.write_files(work)
        outcomes = []
        for command in case.commands:
            env = clean_environment(folder) | case.environment(program)
            code, out, err = run(around(command.argv(program)), cwd=work, env=env, timeout_s=LIMIT_S, terminal=command.terminal)
            if command.picks and out.startswith(("{", "[")):
                out = pick(out, command.picks)
            outcomes.append({
                "exit": f"none: stopped after {LIMIT_S} s" if code is None else str(code),
                "stdout": case.stable(neutral(out, work)),
                "stderr": case.stable(neutral(err, work)),
            })
        return outcomes


def neutral(text, work):
    """Replaces the folders of this machine with fixed names."""
    return text.replace(str(work), "WORK").replace(str(ROOT), "ROOT").replace("\r\x1b[K", "\n")  # a line that a terminal wipes


def differences(case, outcomes):
    lines = []
    for command, outcome in zip(case.commands, outcomes):
        if outcome["exit"] != command.expected["exit"]:
            lines.append(f"$ {command.line}: exit {outcome['exit']}, expected {command.expected['exit']}")
        for stream in ("stdout", "stderr"):
            expected, got = command.expected[stream], with_newline(outcome[stream])
            if expected != got:
                lines.append(f"$ {command.line}")
                lines += difflib.unified_diff(expected.splitlines(), got.splitlines(), f"expected {stream}", "got",
                                              lineterm="")
    return lines


def judge(path, program, rebase):
    """Returns (verdict, text); the verdict is passed, failed, skipped or rewritten."""
    try:
        case = Case(path)
        if "gpu" in case.needs and not has_gpu():
            return "skipped", "no GPU"
        outcomes = run_case(case, program)
    except (BadCase, ValueError, OSError) as problem:
        return "failed", str(problem)
    lines = differences(case, outcomes)
    if not lines:
        return "passed", ""
    crashed = [command.line for command, outcome in zip(case.commands, outcomes) if not outcome["exit"].isdigit()]
    if rebase and not crashed:
        path.write_text(case.rewritten(outcomes), encoding="utf-8")
        return "rewritten", ""
    return "failed", "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rebase", action="store_true", help="write the outcomes into the cases")
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "release" / "lanescope")
    parser.add_argument("--exact", metavar="CASE",
                        help="run this case alone; CASE is its whole path without the extension")
    parser.add_argument("cases", nargs="*", help="run only cases whose path contains one of these")
    options = parser.parse_args()
    program = options.program.resolve()
    paths = [path for path in sorted(FOLDER.rglob("*.golden"))
             if options.exact in (None, str(path.relative_to(FOLDER).with_suffix("")))
             and (not options.cases or any(part in str(path.relative_to(FOLDER)) for part in options.cases))]
    report = Report()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        verdicts = pool.map(lambda path: judge(path, program, options.rebase), paths)
        for path, (verdict, text) in zip(paths, verdicts):
            report.verdict(f"golden: {path.relative_to(FOLDER).with_suffix('')}", verdict, text)
    report.finish()


if __name__ == "__main__":
    main()
