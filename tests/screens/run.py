#!/usr/bin/env python3
"""What the views draw.

The cases of cases.txt, and those of views.txt and programs.txt at three sizes, are compared as text: `lanescope render -o NAME.txt` describes what
is drawn, and tests/screens/texts holds what is expected. Pictures are compared where the look is the point: those of pictures.txt
with tests/screens/pictures, and the README's, readme.txt, with assets/readme.

    tests/screens/run.py [--rebase] [--build FOLDER] [CASE…]     CASE: part of a case's name

What was drawn, and for a picture that failed one of the difference, is in build/tests/screens.
"""

import argparse
import difflib
import os
import shlex
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness import ROOT, Report, clean_environment, output_folder, run  # noqa: E402

FOLDER = Path(__file__).resolve().parent
OUTPUT = output_folder("screens")
LIMIT_S = 180
TOLERANCE = 16        # of 255 in a channel: anti-aliasing differs a little between versions of Mesa and of the fonts
DIFFERING_SHARE = 0.001  # of the pixels
MAX_PICTURES, MAX_BYTES = 48, 6_000_000
DIFF_LINES = 30       # of a description are shown
SIZES = ("1600x1000", "1280x720", "2560x1440")
HALL = "1920x1080"    # of a lecture, too: the projector's
HOME = "/home/learner"   # need not be there; some views show it


class Case(NamedTuple):
    name: str
    arguments: list
    reference: Path       # a picture, or a text
    half: bool = False    # the reference is half as wide and high
    nvcc: bool = False    # the file is a program, which needs it


def read_lines(name):
    """(name, arguments of lanescope render) in the file's order."""
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            name, arguments = line.split(":", 1)
            yield name.strip(), shlex.split(arguments)


def read_cases():
    for name, arguments in read_lines("pictures.txt"):
        yield Case(name, arguments, FOLDER / "pictures" / f"{name}.png", half=True, nvcc=name.startswith("host_"))
    for name, arguments in read_lines("readme.txt"):
        yield Case(f"readme_{name}", arguments, ROOT / "assets/readme" / f"{name}.png")
    for name, arguments in read_lines("cases.txt"):
        yield Case(f"text_case_{name}", arguments, FOLDER / "texts" / f"case_{name}.txt")
    for view, arguments in read_lines("programs.txt"):
        for size in SIZES:
            name = f"program_{view}_{size.split('x')[0]}"
            yield Case(f"text_{name}", [*with_size(arguments, size)], FOLDER / "texts" / f"{name}.txt", nvcc=True)
    for view, arguments in read_lines("views.txt"):
        for size in SIZES + ((HALL,) if "lecture" in arguments else ()):
            name = f"{view}_{size.split('x')[0]}"
            yield Case(f"text_{name}", [*arguments, "--size", size], FOLDER / "texts" / f"{name}.txt")


def with_size(arguments, size):
    """What stands behind -- goes to the program."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    return [*arguments[:at], "--size", size, *arguments[at:]]


def has_nvcc():
    return shutil.which("nvcc") is not None or Path("/usr/local/cuda/bin/nvcc").exists()


def judge(case, build, rebase):
    """(verdict, text): passed, failed, rewritten or skipped."""
    if case.nvcc and not has_nvcc():
        return "skipped", "no nvcc"
    picture, diff = OUTPUT / (case.name + case.reference.suffix), OUTPUT / f"{case.name}.diff.png"
    for old in (picture, diff):
        old.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="lanescope-screens-") as home:
        # The pictures are those of a machine without a GPU, on every machine.
        env = clean_environment(home) | {"LANESCOPE_CUDA_DRIVER": "libcuda.so.1.none", "HOME": HOME}
        command = [str(build / "lanescope"), "render", "-o", str(picture), *case.arguments]
        code, out, err = run(command, cwd=ROOT, env=env, timeout_s=LIMIT_S)
        if code != 0 or not picture.exists():
            reason = f"stopped after {LIMIT_S} s" if code is None else f"exit {code}"
            return "failed", f"{shlex.join(command)}: {reason}\n{out}{err}"
        if not case.reference.exists() and not rebase:
            return "failed", f"no reference: look at {picture}, then run this again with --rebase"
        if case.reference.suffix == ".txt":
            return judge_text(case, picture, rebase)
        share, text = compare(build, env, case, picture, diff) if case.reference.exists() else (1.0, "")
        if rebase and (share is None or share > DIFFERING_SHARE):
            command = [str(build / "compare_images"), "--halve" if case.half else "--convert", str(picture), str(case.reference)]
            code, _, err = run(command, cwd=ROOT, env=env, timeout_s=60)
            return ("rewritten", "") if code == 0 else ("failed", err)
    if share is not None and share <= DIFFERING_SHARE:
        return "passed", ""
    return "failed", text


def judge_text(case, described, rebase):
    got = described.read_text(encoding="utf-8")
    expected = case.reference.read_text(encoding="utf-8") if case.reference.exists() else ""
    if got == expected:
        return "passed", ""
    if rebase:
        case.reference.write_text(got, encoding="utf-8")
        return "rewritten", ""
    lines = list(difflib.unified_diff(expected.splitlines(), got.splitlines(), "expected", "drawn", lineterm="", n=1))
    more = [f"… {len(lines) - DIFF_LINES} more lines; see {described}"] if len(lines) > DIFF_LINES else []
    return "failed", "\n".join(lines[:DIFF_LINES] + more)


def compare(build, env, case, picture, diff):
    """(share of differing pixels or None when the sizes differ, what to say)."""
    command = [str(build / "compare_images"), str(case.reference), str(picture), "--half", str(int(case.half)),
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
    cases = [case for case in read_cases() if not options.cases or any(part in case.name for part in options.cases)]
    report = Report()
    pictures = [case.reference for case in read_cases() if case.reference.suffix == ".png" and case.reference.exists()]
    size_bytes = sum(picture.stat().st_size for picture in pictures)
    few = len(pictures) <= MAX_PICTURES and size_bytes <= MAX_BYTES
    report.verdict("screens: few pictures", "passed" if few else "failed",
                   f"{len(pictures)} pictures of {size_bytes / 1e6:.1f} MB; at most {MAX_PICTURES} of {MAX_BYTES / 1e6:.0f} MB: compare text")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, (verdict, text) in zip(cases, pool.map(lambda case: judge(case, build, options.rebase), cases)):
            report.verdict(f"screens: {case.name}", verdict, text)
    report.finish()


main()
