#!/usr/bin/env python3
"""Writes assets/schedules/nvidia-h200.json: which multiprocessor ran which block of every lesson, and when, with the
lesson's default parameters. Needs a GPU that `lanescope doctor` can use.

    tests/timings/schedules.py [--build FOLDER] [--at-once N] [--out FILE]

The window and `lanescope run --json --gpu-schedule` show these schedules where there is no GPU. app/REPORT.md describes
the file. A lesson that no GPU runs with records is left out and named on standard error.
"""
import argparse
import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCHEDULES = ROOT / "assets/schedules/nvidia-h200.json"
LIMIT_S = 60


def call(build, *arguments, fine=(0,)):
    """Returns the JSON that the program prints, or None and the reason why there is none."""
    try:
        done = subprocess.run([str(build / "lanescope"), *arguments], cwd=ROOT, capture_output=True, text=True,
                              timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return None, f"did not end within {LIMIT_S} s"
    if done.returncode not in fine:
        return None, f"exit {done.returncode}: {done.stderr.strip()[:300]}"
    return json.loads(done.stdout), ""


def record(build, file):
    # Exit 1: the run does not meet the file's expectations, as of a lesson on atomics. Its schedule is as good.
    result, reason = call(build, "run", file, "--engine", "gpu", "--json", "--gpu-schedule", fine=(0, 1))
    if result is None:
        return file, None, reason
    schedule = result["gpu_schedule"]
    if "missing" in schedule or not any("spans" in launch for launch in schedule["launches"]):
        return file, None, schedule.get("missing", "no launch was recorded")
    return file, dict(schedule, parameters=result["parameters"]), ""


def lesson_of(file, schedule):
    # What follows from the spans is computed when the file is read.
    launches = [{key: launch[key] for key in ("kernel", "grid", "block", "map_blocks", "spans", "cut") if key in launch}
                for launch in schedule["launches"]]
    return {"file": file, "text_hash": schedule["text_hash"], "parameters": schedule["parameters"], "launches": launches}


def document(recorded):
    first = recorded[0][1]
    head = {key: first[key] for key in ("device", "driver", "date", "multiprocessors")}
    lines = ",\n".join(json.dumps(lesson_of(*each), separators=(",", ":")) for each in recorded)
    return json.dumps(head)[:-1] + ', "lessons": [\n' + lines + "\n]}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("--at-once", type=int, default=8)
    parser.add_argument("--out", type=Path, default=SCHEDULES)
    options = parser.parse_args()
    build = options.build.resolve()
    course, reason = call(build, "list", "--json")
    if course is None:
        sys.exit(f"lanescope list: {reason}")
    files = [f"kernels/{topic['topic']}/{lesson['name']}.cu" for topic in course for lesson in topic["lessons"]]
    start = time.monotonic()
    with ThreadPoolExecutor(options.at_once) as pool:
        results = list(pool.map(lambda file: record(build, file), files))
    recorded = [(file, schedule) for file, schedule, _ in results if schedule]
    for file, schedule, why in results:
        if not schedule:
            print(f"{file}: not recorded: {why}", file=sys.stderr)
    if not recorded:
        sys.exit("no lesson was recorded")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(document(recorded), encoding="utf-8")
    print(f"{options.out}: {len(recorded)} of {len(files)} lessons, {options.out.stat().st_size} bytes, "
          f"{time.monotonic() - start:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
