#!/usr/bin/env python3
"""Runs every kernel of the course: with its defaults under several schedules, and with awkward numbers of elements.

    tests/lessons/run.py [--build FOLDER] [LESSON…]     LESSON: part of a file's path

A lesson's own expectations and expected problems decide: it must end with exit 0. A size that its front matter rules out
must be refused with exit 2.
"""

import argparse
import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness import ROOT, Report, clean_environment, run  # noqa: E402

LIMIT_S = 120
SCHEDULES = ("rr", "warp", "seed:1", "seed:2", "seed:3")
AWKWARD = (0, 1, 31, 33, 61, 65, 257)
RULED_OUT = ("below its minimum", "above its maximum", "none of its choices")


class Lesson:
    def __init__(self, build, path):
        self.build = build
        self.path = Path(path)
        self.name = self.path.relative_to(ROOT / "kernels").with_suffix("")

    def run(self, *options):
        """(exit code, stdout, stderr) of `lanescope run` with these options."""
        with tempfile.TemporaryDirectory(prefix="lanescope-lessons-") as home:
            return run([str(self.build / "lanescope"), "run", str(self.path), *options], cwd=ROOT,
                       env=clean_environment(home), timeout_s=LIMIT_S)

    def complaints(self):
        """What went wrong, one text per run that did."""
        code, out, err = self.run("--json")
        if code != 0:
            return [f"exit {code}\n{err}{self.run()[1]}"]
        options = [("--schedule", schedule) for schedule in SCHEDULES]
        if "n" in json.loads(out)["parameters"]:
            options += [("--set", f"n={size}") for size in AWKWARD]
        return [complaint for each in options if (complaint := self.complaint(each))]

    def complaint(self, options):
        code, out, err = self.run(*options)
        if code == 0 or (code == 2 and any(reason in err for reason in RULED_OUT)):
            return None
        return f"{' '.join(options)}: {'stopped at the time limit' if code is None else f'exit {code}'}\n{err}{out}"


def read_course(build):
    with tempfile.TemporaryDirectory(prefix="lanescope-lessons-") as home:
        code, out, err = run([str(build / "lanescope"), "list", "--json"], cwd=ROOT, env=clean_environment(home),
                             timeout_s=LIMIT_S)
    if code != 0:
        raise RuntimeError(f"lanescope list --json: exit {code}\n{err}")
    return [Lesson(build, lesson["file"]) for topic in json.loads(out) for lesson in topic["lessons"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("lessons", nargs="*", help="only lessons whose path holds one of these")
    options = parser.parse_args()
    report = Report()
    course = read_course(options.build.resolve())
    lessons = [lesson for lesson in course
               if not options.lessons or any(part in str(lesson.path) for part in options.lessons)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for lesson, complaints in zip(lessons, pool.map(Lesson.complaints, lessons)):
            report.verdict(f"lessons: {lesson.name}", "failed" if complaints else "passed", "\n".join(complaints))
    for path in sorted(set((ROOT / "kernels").rglob("*.cu")) - {lesson.path for lesson in course}):
        report.failure(f"lessons: {path.relative_to(ROOT)}", "no lesson.toml lists this file")
    report.finish()


main()
