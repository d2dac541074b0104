#!/usr/bin/env python3
"""Times every file of sizes.txt on this machine's GPU and writes one recording, as assets/timings holds them.

    tests/timings/record.py -o assets/timings/nvidia-h200.json

Several files are prepared at once on the host's cores; `lanescope time` itself takes turns on the GPU. Exit status: 1 when a
result was wrong or a file could not be timed, and then the recording is still written.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def plans(folder):
    for line in (folder / "sizes.txt").read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            yield words[0], words[1:]


def arguments(name, settings, sizes):
    out = [f"kernels/{name}.cu"]
    if "alone" in settings:
        out.append("--no-peers")
    if sizes == "default":
        return out
    for setting in settings:
        if setting == "alone":
            continue
        out += ["--sweep" if "," in setting else "--set", setting]
    return out


def measure(program, words, extra):
    start = time.monotonic()
    done = subprocess.run([program, "time", *words, "--json", *extra], cwd=ROOT, text=True, capture_output=True)
    seconds = time.monotonic() - start
    try:
        return json.loads(done.stdout), done, seconds
    except ValueError:
        return None, done, seconds


def report_of(results):
    """One report of many; the ceiling at its head is the median of theirs, each timing has that of its own process."""
    reports = [r for r in results if r]
    head = dict(reports[0])
    ceilings = sorted(r["device"]["copy_gb_per_s"] for r in reports if r["device"]["copy_gb_per_s"] > 0)
    if ceilings:
        head["device"]["copy_gb_per_s"] = ceilings[len(ceilings) // 2]
    head["date"] = min(r["date"] for r in reports)
    head["timings"] = [t for r in reports for t in r["timings"]]
    return head


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--program", default=str(ROOT / "build/release/lanescope"))
    parser.add_argument("--jobs", type=int, default=max(1, min(8, (os.cpu_count() or 1) // 2)))
    parser.add_argument("--sizes", choices=["recorded", "default"], default="recorded",
                        help="default: every file once with its own parameters")
    parser.add_argument("--only", default="", help="files whose name holds this")
    args, extra = parser.parse_known_args()
    wanted = [p for p in plans(pathlib.Path(__file__).parent) if args.only in p[0]]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        jobs = [pool.submit(measure, args.program, arguments(*plan, args.sizes), extra) for plan in wanted]
        results = []
        for (name, _), job in zip(wanted, jobs):
            report, done, seconds = job.result()
            results.append(report)
            wrong = [t for t in (report or {"timings": []})["timings"]
                     if "error" in t or t.get("checked") == "wrong"]
            print(f"{name}: {seconds:.1f} s, exit {done.returncode}", flush=True)
            for t in wrong:
                declared = " (declared)" if "expected_problems" in t else ""
                print(f"    {t['parameters']}: {t.get('error') or t.get('mismatch')}{declared}", flush=True)
            if not report:
                print("    " + done.stderr.strip()[-400:], flush=True)
    if not any(results):
        sys.exit("nothing was timed")
    output = pathlib.Path(args.output)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(report_of(results), indent=1) + "\n")
    bad = [t for r in results if r for t in r["timings"]
           if ("error" in t or t.get("checked") == "wrong") and "expected_problems" not in t]
    print(f"{sum(len(r['timings']) for r in results if r)} timings, {len(bad)} wrong or missing", flush=True)
    sys.exit(1 if bad or not all(results) else 0)


if __name__ == "__main__":
    main()
