#!/usr/bin/env python3
"""Renders the cases of tests/screens/cases.txt and compares each with its reference picture, tests/screens/NAME.png.

    tests/screens/run.py [--rebase] [--build FOLDER] [CASE…]     CASE: part of a case's name

What was rendered, and for a case that failed a picture of the difference, is in build/tests/screens.
"""

import argparse
import os
import shlex
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness import ROOT, Report, clean_environment, output_folder, run  # noqa: E402

FOLDER = Path(__file__).resolve().parent
OUTPUT = output_folder("screens")
LIMIT_S = 180
TOLERANCE = 16        # of 255 in a channel: anti-aliasing differs a little between versions of Mesa and of the fonts
DIFFERING_SHARE = 0.001  # of the pixels


def read_cases():
    """(name, arguments of lanescope render) in the file's order."""
    for line in (FOLDER / "cases.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            name, arguments = line.split(":", 1)
            yield name.strip(), shlex.split(arguments)


def judge(case, build, rebase):
    """(verdict, text): passed, failed or rewritten."""
    name, arguments = case
    picture, reference, diff = OUTPUT / f"{name}.png", FOLDER / f"{name}.png", OUTPUT / f"{name}.diff.png"
    for old in (picture, diff):
        old.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="lanescope-screens-") as home:
        # The pictures are those of a machine without a GPU, on every machine.
        env = clean_environment(home) | {"LANESCOPE_CUDA_DRIVER": "libcuda.so.1.none"}
        command = [str(build / "lanescope"), "render", *arguments, "-o", str(picture)]
        code, out, err = run(command, cwd=ROOT, env=env, timeout_s=LIMIT_S)
        if code != 0 or not picture.exists():
            reason = f"stopped after {LIMIT_S} s" if code is None else f"exit {code}"
            return "failed", f"{shlex.join(command)}: {reason}\n{out}{err}"
        if not reference.exists() and not rebase:
            return "failed", f"no reference: look at {picture}, then run this again with --rebase"
        share, text = compare(build, env, reference, picture, diff) if reference.exists() else (1.0, "")
    if share is not None and share <= DIFFERING_SHARE:
        return "passed", ""
    if rebase:
        shutil.copyfile(picture, reference)
        return "rewritten", ""
    return "failed", text


def compare(build, env, reference, picture, diff):
    """(share of differing pixels or None when the sizes differ, what to say)."""
    command = [str(build / "compare_images"), str(reference), str(picture),
               "--tolerance", str(TOLERANCE), "--diff", str(diff)]
    code, out, err = run(command, cwd=ROOT, env=env, timeout_s=60)
    if code != 0:
        return None, err
    share = float(out)
    return share, f"{share:.2%} of the pixels differ, at most {DIFFERING_SHARE:.2%} may: see {diff}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rebase", action="store_true", help="make what was rendered the references")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("cases", nargs="*", help="only cases whose name holds one of these")
    options = parser.parse_args()
    build = options.build.resolve()
    cases = [case for case in read_cases() if not options.cases or any(part in case[0] for part in options.cases)]
    report = Report()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for (name, _), (verdict, text) in zip(cases, pool.map(lambda case: judge(case, build, options.rebase), cases)):
            report.verdict(f"screens: {name}", verdict, text)
    report.finish()


main()
