#!/usr/bin/env python3
"""Compares the clock's estimates with recorded times.

    tests/clock/run.py [--build FOLDER] [--all] [--rebase]
    tests/clock/run.py --list [--only TEXT]           every estimate beside its measured time

A third of the recordings of the course is estimated, without the largest inputs; with --all every one. A median or a 90th percentile of the errors that is
worse than in errors.json fails, as does a wrong order of the files in GATES. Figures of the device are fitted to the lessons in
train.txt only; the other half, and tests/clock/kernels, show how well the clock does on what it has not seen. --rebase with --all
stores what came out, and writes the table of README.md.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness import ROOT, Report, output_folder  # noqa: E402

HERE = Path(__file__).resolve().parent
RECORDINGS = [(ROOT / "assets" / "timings" / "nvidia-h200.json", ROOT), (HERE / "nvidia-h200.json", ROOT)]
ERRORS = HERE / "errors.json"
THIRD = 3
TOLERANCE = 0.005  # of an error, which processors may round differently
LIMIT_S = 1000
# Pairs of recordings, the slower one first, whose order must come out right, with the least ratio of the estimates.
GATES = {
    "matmul naive / tiled": (("memory/matmul_naive", {"n": 1024}), ("barriers/matmul_tiled", {"n": 1024}), 1.25),
    "coalescing stride 32 / 1": (("memory/coalescing", {"stride": 32}), ("memory/coalescing", {"stride": 1}), 1.15),
    "coalescing stride 32 / 8": (("memory/coalescing", {"stride": 32}), ("memory/coalescing", {"stride": 8}), 1.15),
}


def estimates(build, recording, sources, every):
    """The estimates of a recording, one dictionary each."""
    env = os.environ | {"LANESCOPE_HOME": str(ROOT), "LANESCOPE_CACHE": str(output_folder("cache"))}

    def part(words):
        done = subprocess.run([str(build / "clock_estimates"), str(recording), str(sources), *words], env=env, capture_output=True,
                              text=True, timeout=LIMIT_S, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    jobs = [["--part", f"{i}/{THIRD}"] for i in range(THIRD)] if every else [["--part", f"0/{THIRD}", "--quick"]]
    if not every:
        jobs += [["--only", name] for name in ("matmul_naive", "matmul_tiled", "coalescing")]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [each for some in pool.map(part, jobs) for each in some]
    return list({(each["file"], str(each["parameters"])): each for each in found}.values())


def lesson(each):
    return each["file"].removeprefix("kernels/").removesuffix(".cu")


def error(each):
    return abs(each["microseconds"] / each["measured_us"] - 1)


def quantile(errors, share):
    return sorted(errors)[min(len(errors) - 1, int(share * len(errors)))]


def summary(some):
    """Errors of times and lines of some estimates."""
    timed = [each for each in some if "microseconds" in each]
    if not timed:
        return None
    errors = [error(each) for each in timed]
    hottest = [each["lines"][0]["line"] == each["measured_lines"][0]["line"] for each in timed if "measured_lines" in each]
    reasons = [distance(each) for each in timed if "measured_lines" in each]
    return {"count": len(timed), "refused": len(some) - len(timed), "median": round(statistics.median(errors), 4),
            "p90": round(quantile(errors, 0.9), 4), "lines": len(hottest), "hottest": sum(hottest),
            "reasons": round(statistics.median(reasons), 3) if reasons else None}


def distance(each):
    """Half the sum of the differences between the estimated and the recorded shares of the stall reasons."""
    def shares(lines):
        total = {}
        for line in lines:
            for reason, share in line["stalls"].items():
                total[reason] = total.get(reason, 0) + share
        return {reason: share / sum(total.values()) for reason, share in total.items()}
    ours, theirs = shares(each["lines"]), shares(each["measured_lines"])
    return sum(abs(ours.get(reason, 0) - theirs.get(reason, 0)) for reason in ours.keys() | theirs.keys()) / 2


def parts_of(course, blind):
    train = set((HERE / "train.txt").read_text(encoding="utf-8").split())
    parts = {"course, fitted": [each for each in course if lesson(each) in train],
             "course, not fitted": [each for each in course if lesson(each) not in train],
             "kernels of tests/clock": blind}
    return {name: made for name, some in parts.items() if (made := summary(some))}


def find(course, wanted):
    name, parameters = wanted
    return next((each for each in course if lesson(each) == name and parameters.items() <= each["parameters"].items()), None)


def check_gates(report, course):
    for name, (slow, fast, least) in GATES.items():
        pair = find(course, slow), find(course, fast)
        if not all(each and "microseconds" in each for each in pair):
            report.failure(f"clock: {name}", "there is no estimate")
            continue
        ours, theirs = (pair[0][key] / pair[1][key] for key in ("microseconds", "measured_us"))
        report.verdict(f"clock: {name}", "passed" if ours >= least else "failed", f"estimated {ours:.2f}, measured {theirs:.2f}")


def check_errors(report, parts, stored):
    for name, made in parts.items():
        before = stored.get(name)
        if before is None:
            report.failure(f"clock: {name}", "errors.json does not have it; use --all --rebase")
            continue
        worse = [f"{key} {made[key]:.1%}, stored {before[key]:.1%}" for key in ("median", "p90") if made[key] > before[key] + TOLERANCE]
        report.verdict(f"clock: {name}", "failed" if worse else "passed", "\n".join(worse))


def table(parts):
    rows = ["| | recordings | refused | median error | 90th percentile | hottest line right | distance of the stall reasons |", "|---|---|---|---|---|---|---|"]
    for name, made in parts.items():
        lines = f"{made['hottest']} of {made['lines']} | {made['reasons']:.2f}" if made["lines"] else "– | –"
        rows.append(f"| {name} | {made['count']} | {made['refused']} | {made['median']:.1%} | {made['p90']:.1%} | {lines} |")
    return "\n".join(rows)


def list_all(course, only):
    for each in sorted((each for each in course if only in each["file"]), key=lambda each: -error(each) if "microseconds" in each else 0):
        parameters = " ".join(f"{name}={value}" for name, value in each["parameters"].items())
        said = f"{each['microseconds'] / each['measured_us']:6.2f} {each['microseconds']:10.1f} {each['measured_us']:10.1f}" if "microseconds" in each \
            else each.get("refused") or each["error"]
        print(f"{said}  {lesson(each)} {parameters}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    for flag in ("--all", "--rebase", "--list"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    every = options.all or options.list
    course, blind = ([each for each in estimates(options.build.resolve(), recording, sources, every)] if recording.exists() else []
                     for recording, sources in RECORDINGS)
    if options.list:
        list_all(course + blind, options.only)
    parts = parts_of(course, blind)
    if options.list:
        return print(table(parts))
    key = "all" if every else "third"
    stored = json.loads(ERRORS.read_text(encoding="utf-8")) if ERRORS.exists() else {}
    if options.rebase:
        ERRORS.write_text(json.dumps(stored | {key: parts}, indent=1) + "\n", encoding="utf-8")
        if every:
            page = HERE / "README.md"
            head, mark, _ = page.read_text(encoding="utf-8").partition("| | recordings")
            page.write_text(head + table(parts) + "\n", encoding="utf-8")
    report = Report()
    check_gates(report, course)
    check_errors(report, parts, parts if options.rebase else stored.get(key, {}))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
