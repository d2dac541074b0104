#!/usr/bin/env python3
"""Writes assets/counts.json: the CPU machine's counts for every lesson with its default parameters, and for the lesson
before it with the same parameters.

    tests/timings/counts.py [--build FOLDER] [--check]

--check writes nothing; the exit status is 1 if the file is out of date.

The window shows the counts beside those of the lesson before, and tests/timings/table.py makes a table of them.
"""
import argparse
import json
import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness import ROOT, clean_environment, run  # noqa: E402

COUNTS = ROOT / "assets/counts.json"
LIMIT_S = 120
METRICS = ("warp_instructions", "simt_efficiency", "global_load_requests", "global_load_sectors", "global_store_requests",
           "global_store_sectors", "shared_load_requests", "shared_load_wavefronts", "shared_store_requests",
           "shared_store_wavefronts")


def call(build, *arguments):
    return json.loads(call_text(build, *arguments))


def call_text(build, *arguments, fine=(0,)):
    with tempfile.TemporaryDirectory(prefix="lanescope-counts-") as home:
        code, out, err = run([str(build / "lanescope"), *arguments], cwd=ROOT, env=clean_environment(home), timeout_s=LIMIT_S)
    if code not in fine:
        sys.exit(f"lanescope {' '.join(arguments)}: exit {code}\n{err}")
    return out


class Lesson:
    def __init__(self, topic, entry, by_name):
        self.name = f"{topic}/{entry['name']}"
        self.look_at = entry.get("look_at")
        self.before = by_name.get(f"{topic}/{entry['after']}") if "after" in entry else None
        by_name[self.name] = self

    def run(self, build, settings=()):
        options = [word for setting in settings for word in ("--set", setting)]
        return call(build, "run", f"kernels/{self.name}.cu", "--json", *options)

    def counts(self, build):
        """Returns the counts with the default parameters, and those of the lesson before with the shared parameters."""
        result = self.run(build)
        counts = {"parameters": result["parameters"], "steps": sum(launch["steps"] for launch in result["launches"]),
                  "metrics": picked(result)}
        if self.look_at:
            counts["look_step"] = self.look_step(build)
        if self.before:
            own = self.before.run(build)["parameters"]
            shared = [f"{key}={value}" for key, value in result["parameters"].items() if key in own]
            counts["before"] = {"lesson": self.before.name, "metrics": picked(self.before.run(build, shared))}
        return counts


    def look_step(self, build):
        """Returns the number of the step at the place that the lesson says to look at, from 1."""
        place = self.look_at
        source = (ROOT / f"kernels/{self.name}.cu").read_text(encoding="utf-8")
        line = place.get("line") or line_of(source, place["code"])
        # A run in which one block is recorded may not find the problems that the lesson declares.
        steps = call_text(build, "run", f"kernels/{self.name}.cu", "--steps", "--record-blocks", str(place["block"]), fine=(0, 1))
        visits = [int(number) for number, where in re.findall(r"^ *(\d+)  line (\d+) ", steps, re.MULTILINE)
                  if int(where) == line]
        return visits[place["visit"] - 1 if place["visit"] > 0 else place["visit"]]


def line_of(source, code):
    body = source.index("---*/") if source.startswith("/*--- lanescope") else 0
    return source[:source.index(code, body)].count("\n") + 1


def picked(result):
    return {name: result["metrics"][name] for name in METRICS}


def count_course(build):
    by_name = {}
    lessons = [Lesson(topic["topic"], entry, by_name) for topic in call(build, "list", "--json") for entry in topic["lessons"]]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(by_name, pool.map(lambda lesson: lesson.counts(build), lessons)))


def document(counts):
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in counts.items())
    return '{"engine": "cpu", "code": "debug", "schedule": "rr", "lessons": {\n' + lines + "\n}}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    wanted = document(count_course(options.build.resolve()))
    if not options.check:
        COUNTS.write_text(wanted, encoding="utf-8")
        return
    current = COUNTS.read_text(encoding="utf-8") if COUNTS.exists() else ""
    if current == wanted:
        return
    changed = sorted(set(current.splitlines()) ^ set(wanted.splitlines()))
    sys.exit("assets/counts.json is out of date; run tests/timings/counts.py. Lines that differ:\n"
             + "\n".join(changed[:10]))


if __name__ == "__main__":
    main()
