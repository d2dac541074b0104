#!/usr/bin/env python3
"""Compares the clock's estimates with recorded times.

    tests/clock/run.py [--build FOLDER] [--all] [--rebase]
    tests/clock/run.py --list [--only TEXT]           every estimate beside its measured time

A third of the recordings of the course is estimated, without the largest inputs; with --all every one. A median or a 90th percentile
of the errors that is worse than in errors.json fails, as does a contrast of CONTRASTS that comes out the wrong way or more than a
quarter off. Figures of the device are fitted to the lessons in train.txt only. Of tests/clock/kernels, those of VALIDATION may be looked
at while the model is changed; the others are the blind test, whose errors are only ever seen as totals, so --list leaves them out.
--rebase with --all stores what came out, and writes the tables of README.md and the errors that assets/devices/h200.toml states.
"""

import argparse
import itertools
import json
import math
import os
import re
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness import ROOT, Report, output_folder  # noqa: E402

HERE = Path(__file__).resolve().parent
RECORDINGS = [ROOT / "assets" / "timings" / "nvidia-h200.json", HERE / "nvidia-h200.json"]
# Topics and lessons that were recorded after the fit, mostly at sizes that take the CPU machine hours.
LATER = ("matmul/", "performance/", "attention/", "stencil/", "sparse/", "pipelines/", "sorting/merge_path", "sorting/radix_sort")
ERRORS = HERE / "errors.json"
DEVICE = ROOT / "assets" / "devices" / "h200.toml"
THIRD = 3
QUICK = 1 << 24  # elements, as clock_estimates --quick has it
TOLERANCE = 0.005  # of an error, which processors may round differently
LIMIT_S = 1000
VALIDATION = {"strides", "row_strides", "working_set", "occupancy_loads", "occupancy_math"}
NEAR = 0.25  # how far the ratio of two estimates may be from the measured one
LEAST_DIFFERENCE = 1.05  # between two measured times that have an order
# What the course teaches: the slower recording, and the faster one.
CONTRASTS = {
    "matmul: naive / tiled": ("memory/matmul_naive n=1024", "barriers/matmul_tiled n=1024"),
    "coalescing: stride 32 / 1": ("memory/coalescing n=2^23 stride=32", "memory/coalescing n=2^23 stride=1"),
    "divergence: reduction modulo / strided index": ("reduction/modulo block=256 n=2^24", "reduction/strided_index block=256 n=2^24"),
    "bank conflicts: strided index / sequential": ("reduction/strided_index block=256 n=2^24", "reduction/sequential block=256 n=2^24"),
    "bank conflicts: transpose tiled / padded": ("transpose/tiled cols=16384 rows=1024", "transpose/tiled_padded cols=16384 rows=1024"),
    "histogram: global atomics / privatised": ("histogram/global_atomics block=256 blocks=1056 n=2^24 values=256",
                                               "histogram/privatised block=256 blocks=1056 n=2^24"),
    "convolution: naive / tiled": ("convolution/basic_2d cols=4096 rows=4096 width=5", "convolution/tiled_2d cols=4096 rows=4096 tile=16 width=5"),
    "scan: one thread / three phases": ("scan/sequential n=2^16", "scan/three_phase block=256 n=2^16 section=8192"),
    "occupancy: blocks of one warp / of eight": ("reduction/warp_ordered n=2^24", "reduction/block_of_warps block=256 n=2^24"),
    "traffic: three arrays / two": ("first_steps/vector_add block=256 n=2^24", "first_steps/square_in_shared block=256 n=2^24"),
}


def before_the_fit(recording):
    """Returns a copy of the recording without what was recorded later."""
    kept = json.loads(recording.read_text(encoding="utf-8"))
    kept["timings"] = [each for each in kept["timings"] if not lesson(each).startswith(LATER)]
    copy = output_folder("clock") / f"{recording.parent.name}.json"
    copy.write_text(json.dumps(kept), encoding="utf-8")
    return copy


def estimates(build, recording, every, only):
    """The estimates of a recording, one dictionary each."""
    env = os.environ | {"LANESCOPE_HOME": str(ROOT), "LANESCOPE_CACHE": str(output_folder("cache"))}

    def part(words):
        done = subprocess.run([str(build / "clock_estimates"), str(recording), str(ROOT), *words], env=env, capture_output=True,
                              text=True, timeout=LIMIT_S, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    jobs = [["--part", f"{i}/{THIRD}", "--only", only] for i in range(THIRD)] if every else [["--part", f"0/{THIRD}", "--quick"]]
    if not every and recording != RECORDINGS[1]:
        jobs += [["--only", name.replace(" ", ".cu ", 1)] for name in sorted({name for pair in CONTRASTS.values() for name in pair})]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [each for some in pool.map(part, jobs) for each in some]
    return list({(each["file"], str(each["parameters"])): each for each in found}.values())


def third_of(some, recording):
    """Those of all estimates that are made without --all."""
    def key(each):
        return each["file"], str(sorted(each["parameters"].items()))
    chosen = {key(each) for each in json.loads(recording.read_text(encoding="utf-8"))["timings"][::THIRD]
              if max(each["parameters"].values(), default=0) <= QUICK}
    compared = {name for pair in CONTRASTS.values() for name in pair}
    return [each for each in some if key(each) in chosen or shown(each) in compared]


def lesson(each):
    return each["file"].removeprefix("kernels/").removesuffix(".cu")


def shown(each):
    """The file and the parameters, as clock_estimates --only knows them."""
    def power(value):
        return f"2^{value.bit_length() - 1}" if value >= 65536 and value & (value - 1) == 0 else str(value)
    return " ".join([lesson(each), *(f"{name}={power(value)}" for name, value in sorted(each["parameters"].items()))])


def timed(some):
    return [each for each in some if "microseconds" in each]


def error(each):
    return abs(each["microseconds"] / each["measured_us"] - 1)


def quantile(errors, share):
    return sorted(errors)[min(len(errors) - 1, int(share * len(errors)))]


def summary(some):
    """Errors of times and lines of some estimates."""
    done = timed(some)
    if not done:
        return None
    errors = [error(each) for each in done]
    hottest = [each["lines"][0]["line"] == each["measured_lines"][0]["line"] for each in done if "measured_lines" in each]
    reasons = [distance(each) for each in done if "measured_lines" in each]
    return {"count": len(done), "refused": len(some) - len(done), "median": round(statistics.median(errors), 4),
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


def parts_of(course, own):
    train = set((HERE / "train.txt").read_text(encoding="utf-8").split())

    def validates(each):
        return Path(each["file"]).stem in VALIDATION
    parts = {"course, fitted": [each for each in course if lesson(each) in train],
             "course, not fitted": [each for each in course if lesson(each) not in train],
             "validation": [each for each in own if validates(each)],
             "blind test": [each for each in own if not validates(each)]}
    parts["not fitted and blind"] = parts["course, not fitted"] + parts["blind test"]
    return {name: made for name, some in parts.items() if (made := summary(some))}


def pairs_in_order(course):
    """Of two kernels of a topic with the same sizes whose times differ: how many pairs there are, and how many are in order."""
    groups = {}
    for each in timed(course):
        size = tuple(sorted((name, value) for name, value in each["parameters"].items() if name not in ("block", "blocks", "width", "tile")))
        if size:
            groups.setdefault((lesson(each).split("/")[0], size), []).append(each)
    count = right = 0
    for group in groups.values():
        for one, other in itertools.combinations(group, 2):
            fast, slow = sorted((one, other), key=lambda each: each["measured_us"])
            if fast["file"] == slow["file"] or slow["measured_us"] < LEAST_DIFFERENCE * fast["measured_us"]:
                continue
            count += 1
            right += slow["microseconds"] > fast["microseconds"]
    return count, right


def contrasts(course):
    """For each contrast: the measured and the estimated ratio; None: there is no estimate."""
    found = {shown(each): each for each in timed(course)}
    made = {}
    for name, pair in CONTRASTS.items():
        slow, fast = (found.get(each) for each in pair)
        made[name] = tuple(slow[key] / fast[key] for key in ("measured_us", "microseconds")) if slow and fast else None
    return made


def check_contrasts(report, course):
    for name, ratios in contrasts(course).items():
        if ratios is None:
            report.failure(f"clock: {name}", "there is no estimate")
            continue
        measured, ours = ratios
        good = (ours > 1) == (measured > 1) and abs(ours / measured - 1) <= NEAR
        report.verdict(f"clock: {name}", "passed" if good else "failed", f"estimated {ours:.2f}, measured {measured:.2f}")


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


def finer_tables(course, own):
    """Errors of the course by topic, and of all recordings by the measured time; order and contrasts."""
    def between(low, high):
        return [each for each in course + own if low <= each["measured_us"] < high]
    topics = sorted({lesson(each).split("/")[0] for each in course})
    groups = {topic: [each for each in course if lesson(each).startswith(topic + "/")] for topic in topics}
    groups |= {"all, below 8 µs": between(0, 8), "all, 8 to 100 µs": between(8, 100), "all, above": between(100, math.inf)}
    rows = ["| | recordings | median error | 90th percentile |", "|---|---|---|---|"]
    for name, some in groups.items():
        if made := summary(some):
            rows.append(f"| {name} | {made['count']} | {made['median']:.1%} | {made['p90']:.1%} |")
    count, right = pairs_in_order(course)
    rows += ["", f"Pairs of kernels of a topic with the same sizes whose measured times differ by 5 %: {right} of {count} are in the right order.", "",
             "| slower / faster | measured | estimated |", "|---|---|---|"]
    rows += [f"| {name} | {ratios[0]:.2f} | {ratios[1]:.2f} |" for name, ratios in contrasts(course).items() if ratios]
    return "\n".join(rows)


def costs(some):
    """What the estimates cost on this machine."""
    def spread(key):
        values = sorted(each[key] for each in timed(some))
        return f"{key} median {statistics.median(values):.0f}, 90th percentile {quantile(values, 0.9):.0f}, most {values[-1]:.0f}"
    return "; ".join(spread(key) for key in ("run_ms", "estimate_ms"))


def write_page(text):
    page = HERE / "README.md"
    head, _, rest = page.read_text(encoding="utf-8").partition("| | recordings")
    _, mark, tail = rest.partition("\n## ")
    page.write_text(head + text + "\n" + mark + tail, encoding="utf-8")


def stated_errors(parts):
    """What the window says of its estimates: lines of the device's file."""
    made = parts["not fitted and blind"]
    return {"recorded_runs": made["count"], "half_within": round(made["median"], 3), "nine_of_ten_within": round(made["p90"], 3)}


def write_stated(parts):
    text = DEVICE.read_text(encoding="utf-8")
    for name, value in stated_errors(parts).items():
        text = re.sub(rf"^{name} = \S+", f"{name} = {value}", text, flags=re.MULTILINE)
    DEVICE.write_text(text, encoding="utf-8")


def check_stated(report, parts):
    text = DEVICE.read_text(encoding="utf-8")
    wrong = [f"{name} = {value}" for name, value in stated_errors(parts).items()
             if not re.search(rf"^{name} = {re.escape(str(value))}\s", text, re.MULTILINE)]
    report.verdict("clock: the stated errors", "failed" if wrong else "passed", "h200.toml lacks " + ", ".join(wrong) if wrong else "")


def list_all(some):
    for each in sorted(some, key=lambda each: -error(each) if "microseconds" in each else 0):
        said = f"{each['microseconds'] / each['measured_us']:6.2f} {each['microseconds']:10.1f} {each['measured_us']:10.1f}" if "microseconds" in each \
            else each.get("refused") or each["error"]
        print(f"{said}  {shown(each)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    for flag in ("--all", "--rebase", "--list"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if options.only and not options.list:
        parser.error("--only is for --list")
    every = options.all or options.list
    recordings = [before_the_fit(RECORDINGS[0]), RECORDINGS[1]]
    course, own = (estimates(options.build.resolve(), recording, every, options.only) for recording in recordings)
    parts = parts_of(course, own)
    if options.list:
        list_all(course + [each for each in own if Path(each["file"]).stem in VALIDATION])
    if every and not options.only:
        print(table(parts), finer_tables(course, own), costs(course + own), sep="\n\n")
    if options.list:
        return 0
    key = "all" if every else "third"
    stored = json.loads(ERRORS.read_text(encoding="utf-8")) if ERRORS.exists() else {}
    if options.rebase:
        stored[key] = parts
        if every:
            stored["third"] = parts_of(*(third_of(some, recording) for some, recording in zip((course, own), recordings)))
        ERRORS.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
        if every:
            write_page(table(parts) + "\n\n" + finer_tables(course, own))
            write_stated(parts)
    report = Report()
    check_contrasts(report, course)
    check_stated(report, stored["all"])
    check_errors(report, parts, parts if options.rebase else stored.get(key, {}))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
