#!/usr/bin/env python3
"""Times every file of sizes.txt on this machine's GPU and writes one recording in the form of assets/timings.

    tests/timings/record.py -o assets/timings/nvidia-h200.json [--sizes default] [--only NAME] [--seconds N]
    tests/timings/record.py --folder tests/clock -o tests/clock/nvidia-h200.json

The host's cores prepare several files at once; `lanescope time` itself takes turns on the GPU. An existing recording of
the same GPU and driver keeps the timings of files that are not timed now. The exit status is 1 if a result was wrong,
or if a file could not be timed or was not reached in time; the recording is written in each case.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def plans(folder):
    for line in (folder / "sizes.txt").read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            kernels = ROOT / "kernels" if folder == HERE else folder / "kernels"
            yield f"{(kernels / words[0]).relative_to(ROOT)}.cu", words[1:]


def arguments(name, settings):
    out = [name]
    for setting in settings:
        out += ["--sweep" if "," in setting else "--set", setting]
    return out


def measure(program, words, extra, end):
    start = time.monotonic()
    if start >= end:
        return None, "not reached in time", 0
    try:
        done = subprocess.run([program, "time", *words, "--json", *extra], cwd=ROOT, text=True, capture_output=True,
                              timeout=end - start)
    except subprocess.TimeoutExpired:
        return None, "not finished in time", time.monotonic() - start
    seconds = time.monotonic() - start
    try:
        return json.loads(done.stdout), f"exit {done.returncode}", seconds
    except ValueError:
        return None, f"exit {done.returncode}: {done.stderr.strip()[-400:]}", seconds


def identity(timing):
    return timing["file"], tuple(sorted(timing["parameters"].items()))


def report_of(reports, old, folder):
    """Combines the reports. The ceiling and the empty launch in the head are the medians of all reports; each timing has
    the ceiling of its own process. A recording that grows keeps its head."""
    head = dict(reports[0], device=dict(reports[0]["device"]))
    ceilings = sorted(r["device"]["copy_gb_per_s"] for r in reports if r["device"]["copy_gb_per_s"] > 0)
    if ceilings:
        head["device"]["copy_gb_per_s"] = ceilings[len(ceilings) // 2]
    launches = sorted(r["device"]["empty_launch_ms"] for r in reports)
    head["device"]["empty_launch_ms"] = launches[len(launches) // 2]
    head["date"] = min(r["date"] for r in reports)
    timings = [t for r in reports for t in r["timings"]]
    if old and all(old["device"][key] == head["device"][key] for key in ("name", "driver")):
        head["date"], head["device"] = min(old["date"], head["date"]), old["device"]
        new = {identity(t) for t in timings}
        timings += [t for t in old["timings"] if identity(t) not in new]
    order = list(dict.fromkeys(name for name, _ in plans(folder)))
    head["timings"] = sorted(timings, key=lambda t: order.index(t["file"]) if t["file"] in order else len(order))
    return head


def tell(name, report, outcome, seconds):
    """Prints a line for the file and one for each wrong result. Returns how many of them the file does not declare."""
    print(f"{name}: {seconds:.1f} s, {outcome}", flush=True)
    bad = 0
    for t in report["timings"] if report else []:
        if "error" in t or t.get("checked") == "wrong":
            declared = "expected_problems" in t
            bad += not declared
            print(f"    {t['parameters']}: {t.get('error') or t.get('mismatch')}{' (declared)' if declared else ''}",
                  flush=True)
    return bad if report else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path)
    parser.add_argument("--program", default=str(ROOT / "build/release/lanescope"))
    parser.add_argument("--jobs", type=int, default=max(1, min(8, (os.cpu_count() or 1) // 2)))
    parser.add_argument("--folder", type=pathlib.Path, default=HERE, help="the folder with sizes.txt and kernels")
    parser.add_argument("--sizes", choices=["recorded", "default"], default="recorded",
                        help="default: time every file once with its default parameters")
    parser.add_argument("--only", default="", help="time only files whose name contains this")
    parser.add_argument("--seconds", type=float, default=3600,
                        help="stop after this time; files that were not reached are listed")
    args, extra = parser.parse_known_args()
    end = time.monotonic() + args.seconds
    wanted = [p for p in plans(args.folder.resolve()) if args.only in p[0]]
    if args.sizes == "default":
        wanted = [(name, []) for name in dict.fromkeys(name for name, _ in wanted)]
    reports, bad = [], 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        jobs = [pool.submit(measure, args.program, arguments(*plan), extra, end) for plan in wanted]
        for (name, _), job in zip(wanted, jobs):
            report, outcome, seconds = job.result()
            bad += tell(name, report, outcome, seconds)
            reports += [report] if report else []
    if not reports:
        sys.exit("no file could be timed")
    old = json.loads(args.output.read_text()) if args.output.exists() else None
    args.output.parent.mkdir(parents=True, exist_ok=True)
    args.output.write_text(json.dumps(report_of(reports, old, args.folder.resolve()), indent=1) + "\n")
    print(f"{sum(len(r['timings']) for r in reports)} timings, {bad} wrong or missing", flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
