#!/usr/bin/env python3
"""What the views show.

Each case of cases.txt is put into words (`lanescope render -o NAME.txt`): tests/screens/outlines holds what the panels that it
names must say. The same frame is then looked at in many sizes, themes and zooms: text is whole and readable, no two texts overlap,
what can be clicked is large enough, no panel is empty (app/ui/kit/frame_check.h). Pictures are compared where the look is the point:
those of pictures.txt with tests/screens/pictures, and the README's, readme.txt, with assets/readme.

    tests/screens/run.py [--rebase] [--build FOLDER] [CASE…]     CASE: part of a case's name

What was drawn, and for a picture that failed one of the difference, is in build/tests/screens.
"""

import argparse
import difflib
import os
import re
import shlex
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness import NOT_EMULATED, ROOT, Report, clean_environment, emulated, output_folder, run  # noqa: E402

FOLDER = Path(__file__).resolve().parent
OUTPUT = output_folder("screens")
LIMIT_S = 180
TOLERANCE = 16        # of 255 in a channel: anti-aliasing differs a little between versions of Mesa and of the fonts
DIFFERING_SHARE = 0.001  # of the pixels
MAX_PICTURES, MAX_BYTES, MAX_OUTLINE_LINES = 30, 6_000_000, 15_000
DIFF_LINES = 30       # of an outline are shown
HOME = "/home/learner"   # need not be there; some views show it
# These are also told by other processors, which round approximate square roots and fused operations in another way.
EMULATED = ("explore", "flow", "bank_conflicts")
OTHER_PROCESSORS = ("-AVX2,-AVX,-FMA", "-FMA", "-AVX512F,-AVX512VL")  # glibc's functions without these instructions


class Case(NamedTuple):
    name: str
    arguments: list
    reference: Path       # a picture, or an outline
    panels: tuple = ()    # of an outline
    half: bool = False    # the reference is half as wide and high
    nvcc: bool = False    # the file is a program, which needs it
    processor: str = ""   # "emulated", or what glibc must not use


def read_lines(name):
    """The parts of each line between the first colons, in the file's order."""
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield [part.strip() for part in line.split(":", 2 if name == "cases.txt" else 1)]


def read_cases():
    for name, arguments in read_lines("pictures.txt"):
        yield Case(name, shlex.split(arguments), FOLDER / "pictures" / f"{name}.png", half=True, nvcc=name.startswith("host_"))
    for name, arguments in read_lines("readme.txt"):
        yield Case(f"readme_{name}", shlex.split(arguments), ROOT / "assets/readme" / f"{name}.png")
    for name, panels, arguments in read_lines("cases.txt"):
        case = Case(f"outline_{name}", shlex.split(arguments.removeprefix("nvcc:")), FOLDER / "outlines" / f"{name}.txt",
                    tuple(panel.strip() for panel in panels.split(",")), nvcc=arguments.startswith("nvcc:"))
        yield case
        if name in EMULATED:
            for processor in ("emulated", *OTHER_PROCESSORS):
                yield case._replace(name=f"{case.name}_{processor}", processor=processor)


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
        env = clean_environment(home) | {"LANESCOPE_CUDA_DRIVER": "libcuda.so.1.none", "HOME": HOME,
                                         "LANESCOPE_NVDISASM": str(FOLDER / "texts" / "nvdisasm" / "nvdisasm")}
        command = [str(build / "lanescope"), "render", "-o", str(picture), *case.arguments]
        if case.panels and not case.processor:
            command.insert(2, "--inspect")
        if case.processor == "emulated":
            command = emulated(command)
            if command is None:
                return "skipped", NOT_EMULATED
        elif case.processor:
            env["GLIBC_TUNABLES"] = f"glibc.cpu.hwcaps={case.processor}"
        code, out, err = run(command, cwd=ROOT, env=env, timeout_s=LIMIT_S)
        if code not in (0, 1) or not picture.exists():
            reason = f"stopped after {LIMIT_S} s" if code is None else f"exit {code}"
            return "failed", f"{shlex.join(command)}: {reason}\n{out}{err}"
        if not case.reference.exists() and not rebase:
            return "failed", f"no reference: look at {picture}, then run this again with --rebase"
        if case.panels:
            verdict, text = judge_outline(case, picture, rebase and not case.processor)
            return (verdict, text) if code == 0 else ("failed", f"{text}{out}")
        share, text = compare(build, env, case, picture, diff) if case.reference.exists() else (1.0, "")
        if rebase and (share is None or share > DIFFERING_SHARE):
            command = [str(build / "compare_images"), "--halve" if case.half else "--convert", str(picture), str(case.reference)]
            code, _, err = run(command, cwd=ROOT, env=env, timeout_s=60)
            return ("rewritten", "") if code == 0 else ("failed", err)
    if share is not None and share <= DIFFERING_SHARE:
        return "passed", ""
    return "failed", text


def panels_of(outline, wanted):
    """The sections "== NAME" of these panels, in their order; None for a panel that is not there."""
    sections = {}
    for section in re.split(r"^== ", outline, flags=re.MULTILINE)[1:]:
        sections[section.partition("\n")[0]] = f"== {section}"
    return [sections.get(panel) for panel in wanted]


def judge_outline(case, told, rebase):
    sections = panels_of(told.read_text(encoding="utf-8"), case.panels)
    missing = [panel for panel, section in zip(case.panels, sections) if section is None]
    if missing:
        return "failed", f"no such panel: {', '.join(missing)}; see {told}\n"
    got = "".join(sections)
    expected = case.reference.read_text(encoding="utf-8") if case.reference.exists() else ""
    if got == expected:
        return "passed", ""
    if rebase:
        case.reference.parent.mkdir(exist_ok=True)
        case.reference.write_text(got, encoding="utf-8")
        return "rewritten", ""
    lines = list(difflib.unified_diff(expected.splitlines(), got.splitlines(), "expected", "told", lineterm="", n=1))
    more = [f"… {len(lines) - DIFF_LINES} more lines; see {told}"] if len(lines) > DIFF_LINES else []
    return "failed", "\n".join(lines[:DIFF_LINES] + more) + "\n"


def compare(build, env, case, picture, diff):
    """(share of differing pixels or None when the sizes differ, what to say)."""
    command = [str(build / "compare_images"), str(case.reference), str(picture), "--half", str(int(case.half)),
               "--tolerance", str(TOLERANCE), "--diff", str(diff)]
    code, out, err = run(command, cwd=ROOT, env=env, timeout_s=60)
    if code != 0:
        return None, err
    share = float(out)
    return share, f"{share:.2%} of the pixels differ, at most {DIFFERING_SHARE:.2%} may: see {diff}"


def check_references(cases, report):
    """Every expectation belongs to a case, and they are few: each is read by a person when a view changes."""
    known = {case.reference for case in cases}
    files = [file for folder in (FOLDER / "outlines", FOLDER / "pictures", ROOT / "assets/readme") for file in folder.iterdir()]
    unknown = [str(file.relative_to(ROOT)) for file in files if file.suffix in (".png", ".txt") and file not in known]
    report.verdict("screens: each expectation has a case", "failed" if unknown else "passed", f"made by no case: {' '.join(unknown)}")
    pictures = [file for file in files if file.suffix == ".png"]
    size_bytes = sum(picture.stat().st_size for picture in pictures)
    lines = sum(file.read_text(encoding="utf-8").count("\n") for file in files if file.suffix == ".txt")
    few = len(pictures) <= MAX_PICTURES and size_bytes <= MAX_BYTES and lines <= MAX_OUTLINE_LINES
    report.verdict("screens: few expectations", "passed" if few else "failed",
                   f"{len(pictures)} pictures of {size_bytes / 1e6:.1f} MB, at most {MAX_PICTURES} of {MAX_BYTES / 1e6:.0f} MB may be there; "
                   f"{lines} lines of outlines, at most {MAX_OUTLINE_LINES}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rebase", action="store_true", help="make what was drawn the references")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("cases", nargs="*", help="only cases whose name holds one of these")
    options = parser.parse_args()
    build = options.build.resolve()
    every = list(read_cases())
    cases = [case for case in every if not options.cases or any(part in case.name for part in options.cases)]
    report = Report()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, (verdict, text) in zip(cases, pool.map(lambda case: judge(case, build, options.rebase), cases)):
            report.verdict(f"screens: {case.name}", verdict, text)
    check_references(every, report)
    report.finish()


main()
