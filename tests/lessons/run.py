#!/usr/bin/env python3
"""Runs every kernel of the course with its defaults under several schedules and with awkward numbers of elements, and
compiles it with plain `nvcc -c`, for the target of its front matter.

    tests/lessons/run.py [--build FOLDER] [LESSON…]     LESSON: part of a file's path, or of an exercise's name

It also judges the exercises (exercises.py), checks what the texts say with `lanescope lesson check`, and checks that no
lesson uses a term too early (terms.py).

A run must end with exit 0: it meets the expectations and expected problems of the lesson's front matter. A size that
the front matter rules out must be refused with exit 2. A run with the defaults must be small enough to end within two
seconds.
"""

import argparse
import hashlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from exercises import check_exercises  # noqa: E402
from harness import ROOT, Report, clean_environment, output_folder, run  # noqa: E402
from terms import check_order  # noqa: E402

LIMIT_S = 120
SCHEDULES = ("rr", "warp", "seed:1", "seed:2", "seed:3")
AWKWARD = (0, 1, 31, 33, 61, 65, 257)
RULED_OUT = ("below its minimum", "above its maximum", "not one of its choices")
# Parameters other than n that set the size of the input.
SIZES = ("rows", "cols", "quads", "row_quads", "col_quads", "bins", "section")
# Limit for a run with the defaults. A traced run executes 3 million warp instructions a second on a slow core
# (tests/README.md). Unlike seconds, this count does not depend on the load of the machine.
MOST_WARP_INSTRUCTIONS = 2_000_000
# The factor by which a tile in shared memory reduces reads of global memory, by mask and tile, as printed in books. It
# holds inside the input, where no mask reaches over the edge.
REUSE_1D = {5: {8: 3.3, 16: 4.0, 32: 4.4, 64: 4.7, 128: 4.8, 256: 4.9}, 9: {16: 6.0, 32: 7.2, 64: 8.0, 128: 8.5, 256: 8.7}}
REUSE_2D = {5: {8: 11.1, 16: 16.0, 32: 19.8, 64: 22.1}, 9: {8: 20.3, 16: 36.0, 32: 51.8, 64: 64.0}}
RELOCATABLE = ("dynamic_parallelism",)


class Lesson:
    def __init__(self, build, entry):
        self.build = build
        self.path = Path(entry["file"])
        # A place is checked by `lanescope lesson check`; its step may be one of another block.
        self.look_step = None if "look_at" in entry else entry.get("look_step")
        self.name = self.path.relative_to(ROOT / "kernels").with_suffix("")

    def run(self, *options):
        """Returns (exit code, stdout, stderr) of `lanescope run` with these options."""
        with tempfile.TemporaryDirectory(prefix="lanescope-lessons-") as home:
            return run([str(self.build / "lanescope"), "run", str(self.path), *options], cwd=ROOT,
                       env=clean_environment(home), timeout_s=LIMIT_S)

    def complaints(self):
        """Returns one text for each run that went wrong."""
        code, out, err = self.run("--json")
        if code != 0:
            return [f"exit {code}\n{err}{self.run()[1]}"]
        result = json.loads(out)
        options = [("--schedule", schedule) for schedule in SCHEDULES]
        options += [("--set", setting) for setting in awkward_settings(result["parameters"])]
        complaints = [complaint for each in options if (complaint := self.complaint(each))]
        if (executed := result["metrics"]["warp_instructions"]) > MOST_WARP_INSTRUCTIONS:
            complaints.append(f"{executed} warp instructions with the defaults; "
                              f"at most {MOST_WARP_INSTRUCTIONS} fit in two seconds")
        steps = sum(launch["steps"] for launch in result["launches"])
        if self.look_step is not None and self.look_step > steps:
            complaints.append(f"look_step is {self.look_step}, but the run has only {steps} steps")
        return complaints

    def complaint(self, options):
        code, out, err = self.run(*options)
        if code == 0 or (code == 2 and any(reason in err for reason in RULED_OUT)):
            return None
        return f"{' '.join(options)}: {'stopped at the time limit' if code is None else f'exit {code}'}\n{err}{out}"


def awkward_settings(parameters):
    """Returns sizes from 0 up, a prime, and one more than a block; each side of a matrix varies by itself."""
    settings = []
    if "n" in parameters:
        block = parameters.get("block", parameters.get("tile", 32))
        settings += [f"n={size}" for size in sorted({*AWKWARD, block + 1})]
    for name in SIZES:
        if name in parameters:
            settings += [f"{name}={size}" for size in (0, 1, 31, 33)]
    if "blocks" in parameters:
        settings += [f"blocks={size}" for size in (1, 3, 31)]
    return settings


def printed(factor):
    """Rounds to one digit, halves upwards, as the tables do: 20.25 becomes 20.3."""
    return math.floor(10 * factor + 0.5) / 10


def reuse_complaints(lesson):
    """Returns the tiles whose counted loads, in a block inside the input, differ from the table or the formula."""
    flat = "1d" in lesson.path.stem
    complaints = []
    for mask, factors in (REUSE_1D if flat else REUSE_2D).items():
        for tile, factor in factors.items():
            side = 3 * tile
            size = (f"n={side}",) if flat else (f"rows={side}", f"cols={side}")
            options = [word for setting in (*size, f"tile={tile}", f"width={mask}") for word in ("--set", setting)]
            code, out, err = lesson.run("--json", "--record-blocks", "1" if flat else "4", *options)
            if code != 0:
                complaints.append(f"{' '.join(options)}: exit {code}\n{err}")
                continue
            loads = {array["name"]: array["loads"] for array in json.loads(out)["launches"][0]["arrays"]}
            formula = (tile * mask / (tile + mask - 1)) ** (1 if flat else 2)
            counted = loads["s"] / loads["in"]
            if not printed(counted) == printed(formula) == factor:
                complaints.append(f"tile {tile}, mask {mask}: counted {counted:.2f}, formula {formula:.2f}, table {factor}")
    return complaints


def check_texts(report, build, course, lessons):
    """Checks the texts of the chosen lessons; a topic that is chosen as a whole with its own text."""
    topics = sorted({lesson.name.parent for lesson in lessons})
    for topic in topics:
        chosen = [lesson.name for lesson in lessons if lesson.name.parent == topic]
        whole = len(chosen) == sum(lesson.name.parent == topic for lesson in course)
        names = [str(topic)] if whole else [str(name) for name in chosen]
        with tempfile.TemporaryDirectory(prefix="lanescope-lessons-") as home:
            code, out, err = run([str(build / "lanescope"), "lesson", "check", "--without-exercises", *names], cwd=ROOT,
                                 env=clean_environment(home), timeout_s=LIMIT_S * 5)
        report.verdict(f"lessons: texts of {topic}", "failed" if code else "passed", f"exit {code}\n{err}{out}")
        for overlay in sorted((ROOT / "kernels" / topic).glob("lesson.*.toml")) if whole else ():
            language = overlay.suffixes[0][1:]
            with tempfile.TemporaryDirectory(prefix="lanescope-lessons-") as home:
                code, out, err = run([str(build / "lanescope"), "lesson", "check", "--without-exercises", "--language", language, *names],
                                     cwd=ROOT, env=clean_environment(home), timeout_s=LIMIT_S * 5)
            report.verdict(f"lessons: texts of {topic} ({language})", "failed" if code else "passed", f"exit {code}\n{err}{out}")


class PlainCompiler:
    """Runs `nvcc -c` on unchanged files. A file that compiled is compiled again only after it or nvcc has changed."""

    def __init__(self):
        self.nvcc = shutil.which("nvcc") or next(iter(sorted(Path("/usr/local").glob("cuda*/bin/nvcc"))), None)
        self.folder = output_folder("nvcc")
        self.version = subprocess.run([self.nvcc, "--version"], capture_output=True, check=True).stdout if self.nvcc else b""

    def compile(self, lesson):
        """Returns (verdict, reason)."""
        if not self.nvcc:
            return "skipped", "no nvcc"
        options = ["-rdc=true"] if lesson.path.stem in RELOCATABLE else []
        arch = re.search(r'^arch\s*=\s*"(sm_\d+)"', lesson.path.read_text(encoding="utf-8"), re.MULTILINE)
        options += [f"-arch={arch.group(1)}"] if arch else []
        key = hashlib.sha256(self.version + " ".join(options).encode() + lesson.path.read_bytes()).hexdigest()
        done = self.folder / key
        if done.exists():
            return "passed", ""
        with tempfile.TemporaryDirectory(prefix="lanescope-nvcc-") as folder:
            environment = clean_environment(folder) | {"TMPDIR": folder}
            code, out, err = run([str(self.nvcc), "-c", *options, str(lesson.path), "-o", f"{folder}/lesson.o"], cwd=folder,
                                 env=environment, timeout_s=LIMIT_S)
        if code == 0:
            done.touch()
        return ("passed", "") if code == 0 else ("failed", f"exit {code}\n{err}{out}")


def read_course(build):
    with tempfile.TemporaryDirectory(prefix="lanescope-lessons-") as home:
        code, out, err = run([str(build / "lanescope"), "list", "--json"], cwd=ROOT, env=clean_environment(home),
                             timeout_s=LIMIT_S)
    if code != 0:
        raise RuntimeError(f"lanescope list --json: exit {code}\n{err}")
    return [Lesson(build, lesson) for topic in json.loads(out) for lesson in topic["lessons"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("lessons", nargs="*", help="run only lessons whose path contains one of these")
    options = parser.parse_args()
    report = Report()
    course = read_course(options.build.resolve())
    lessons = [lesson for lesson in course
               if not options.lessons or any(part in str(lesson.path) for part in options.lessons)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for lesson, complaints in zip(lessons, pool.map(Lesson.complaints, lessons)):
            report.verdict(f"lessons: {lesson.name}", "failed" if complaints else "passed", "\n".join(complaints))
        tiled = [lesson for lesson in lessons if lesson.path.stem in ("tiled_1d_block_is_input", "tiled_2d")]
        for lesson, complaints in zip(tiled, pool.map(reuse_complaints, tiled)):
            report.verdict(f"lessons: {lesson.name}: reuse", "failed" if complaints else "passed", "\n".join(complaints))
        compiler = PlainCompiler()
        for lesson, (verdict, why) in zip(lessons, pool.map(compiler.compile, lessons)):
            report.verdict(f"lessons: nvcc -c {lesson.name}", verdict, why)
    check_texts(report, options.build.resolve(), course, lessons)
    check_exercises(report, options.build.resolve(), options.lessons)
    if not options.lessons:
        check_order(report)
    for path in sorted(set((ROOT / "kernels").glob("*/*.cu")) - {lesson.path for lesson in course}):
        report.failure(f"lessons: {path.relative_to(ROOT)}",
                       "no lesson.toml lists this file; add it to the one of its topic")
    report.finish()


main()
