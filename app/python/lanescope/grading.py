"""Exercises as marks: `grade` in an autograded cell of nbgrader, and archives for Gradescope.

    python3 -m lanescope.grading gradescope reduction/fix_the_race -o autograder.zip

Submissions are strangers' text. Where the kernel has Landlock (Linux 5.13), the process that judges can write no file and has no network;
`confinement` says whether it has. Without it only the limits on time and memory hold, so judge in a container that holds no other data.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import zipfile
from pathlib import Path
from typing import Any, Iterable, Sequence

from .commands import Verdict, check, doctor, exercises
from .program import BadInput, LanescopeError, StrPath
from .run import Run

__all__ = ["autograder", "confinement", "grade", "results"]


def grade(exercise: str, source: str | Run | Verdict, *, points: float | None = None, partial: bool = True) -> float:
    """Judges a solution in an autograded cell of nbgrader, as its last line; returns the points.

    `source` is CUDA C++, or what a `%%lanescope --as` cell assigned. `points` are those of the cell (None: those of the exercise), of which
    nbgrader gives the share that is returned. Errors: AssertionError with the verdict for no points, or without `partial` for less than all.

    >>> grade("reduction/fix_the_race", answer, points=10)
    10.0
    """
    text = source.text if isinstance(source, Run) else source.source if isinstance(source, Verdict) else source
    verdict = check(source=text, exercise=exercise, name="answer.cu")
    if verdict.points <= 0 or (not partial and not verdict.ok):
        raise AssertionError(str(verdict))
    if not verdict.ok:
        print(verdict)
    return float(verdict.points if points is None else verdict.points * points / verdict.max_points)


def confinement() -> tuple[bool, str]:
    """Whether processes that handle strangers' text are confined on this machine, and by what, or why not."""
    told = str(doctor()["nvrtc"].get("confinement", "none"))
    return told.startswith("Landlock"), told


def results(verdict: Verdict) -> dict[str, Any]:
    """The verdict as Gradescope's results.json: a test for each goal."""
    if verdict.error:
        return {"score": 0, "output": verdict.error, "tests": []}
    tests = [{"name": goal.goal.replace("_", " "), "score": goal.points, "max_score": goal.max_points, "status": "passed" if goal.ok else "failed",
              "output": goal.reason, "visibility": "visible"} for goal in verdict.goals]
    return {"score": verdict.points, "output": str(verdict).splitlines()[0], "tests": tests}


RUN_AUTOGRADER = """#!/usr/bin/env bash
# Gradescope starts this for each submission.
set -euo pipefail
cd "$(dirname "$0")"
[ -f run_autograder ] && [ -d source ] && cd source
exec python3 -m lanescope.grading judge {exercise} {options}--submission ../submission --results ../results/results.json
"""

SETUP = """#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image.
set -euo pipefail
cd "$(dirname "$0")"
apt-get update
apt-get install -y --no-install-recommends python3-pip
PIP_BREAK_SYSTEM_PACKAGES=1 python3 -m pip install {package}
"""


def autograder(exercise: str, file: StrPath, *, package: str = "lanescope", own: Iterable[StrPath] = (), name: str | None = None) -> None:
    """Writes an archive for Gradescope that judges this exercise.

    `package` is what its image installs: a name for pip, or the file of a wheel, which is packed. `own` are folders with exercises of your
    own. `name` is the file that students hand in (None: the only .cu file). Errors: BadInput for an unknown exercise, a missing file.

    >>> autograder("reduction/fix_the_race", "autograder.zip", package="dist/lanescope-0.4.0-py3-none-linux_x86_64.whl")
    """
    folders = [Path(folder) for folder in own]
    known = [one["exercise"] for one in exercises(own=folders)]
    if exercise not in known:
        raise BadInput(f"there is no exercise {exercise!r}", hint="ls.exercises() lists them")
    wheel = Path(package)
    packed = wheel.suffix == ".whl"
    if packed and not wheel.is_file():
        raise BadInput("no such file", file=package)
    options = "".join(f"--exercises exercises/{i} " for i in range(len(folders))) + (f"--file {shlex.quote(name)} " if name else "")
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for script, text in (("setup.sh", SETUP.format(package=shlex.quote(f"./{wheel.name}" if packed else package))),
                             ("run_autograder", RUN_AUTOGRADER.format(exercise=shlex.quote(exercise), options=options))):
            entry = zipfile.ZipInfo(script)
            entry.external_attr = 0o755 << 16
            archive.writestr(entry, text)
        if packed:
            archive.write(wheel, wheel.name)
        for i, folder in enumerate(folders):
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    archive.write(path, f"exercises/{i}/{path.relative_to(folder)}")


def submitted(folder: Path, name: str | None) -> Path:
    """The file that was handed in. Errors: BadInput with what the student has to do."""
    if name is not None:
        if not (folder / name).is_file():
            raise BadInput(f"{name} is missing: hand in a file with this name")
        return folder / name
    files = sorted(folder.glob("*.cu"))
    if len(files) != 1:
        raise BadInput(f"hand in one .cu file: there are {len(files)}")
    return files[0]


def judge(options: argparse.Namespace) -> None:
    confined, told = confinement()
    if not confined:
        print(f"warning: the submission is judged without confinement: {told}")
    try:
        file = submitted(options.submission, options.file)
    except BadInput as error:
        found: dict[str, Any] = {"score": 0, "output": str(error), "tests": []}
    else:
        found = results(check(file, options.exercise, exercises=options.exercises))
    # What this program prints, with the words on confinement, is for the teachers alone.
    found |= {"stdout_visibility": "hidden", "extra_data": {"confinement": told}}
    options.results.write_text(json.dumps(found, indent=2), encoding="utf-8")


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m lanescope.grading", description="Exercises on Gradescope")
    commands = parser.add_subparsers(dest="command", required=True)
    write = commands.add_parser("gradescope", help="write an archive for Gradescope that judges an exercise")
    write.add_argument("exercise", help="TOPIC/NAME")
    write.add_argument("-o", "--output", type=Path, required=True, help="the .zip to write")
    write.add_argument("--package", default="lanescope", help="what the image installs: a name for pip, or the file of a wheel")
    run = commands.add_parser("judge", help="judge one submission; the archive calls it")
    run.add_argument("exercise")
    run.add_argument("--submission", type=Path, required=True)
    run.add_argument("--results", type=Path, required=True)
    for one in (write, run):
        one.add_argument("--exercises", action="append", default=[], help="a folder with exercises of your own")
        one.add_argument("--file", help="the name of the file that students hand in (default: the only .cu file)")
    options = parser.parse_args(words)
    try:
        if options.command == "judge":
            judge(options)
        else:
            autograder(options.exercise, options.output, package=options.package, own=options.exercises, name=options.file)
            confined, told = confinement()
            print(f"{options.output}: judges {options.exercise}. On this machine, the confinement of submissions is "
                  f"{told}. Where there is none, as in some containers, only limits on time and memory hold.")
    except (LanescopeError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
