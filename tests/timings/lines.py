#!/usr/bin/env python3
"""Adds to a recording of times on which lines the time goes: samples every file at its slowest recorded size.

    tests/timings/lines.py -o assets/timings/nvidia-h200.json [--only NAME] [--seconds N]

It needs the GPU that the recording names, and CUPTI. The times stay as they are. The exit status is 1 if a file could
not be sampled; the recording is written in each case.
"""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FEWEST = 500
KEYS = ["samples", "dropped", "period_cycles", "kernels", "lines"]


def content_hash(data):
    """That of app/base/files.h: the window shows the lines only beside the text that was sampled."""
    first, second = 0xcbf29ce484222325, 0x84222325cbf29ce4
    for byte in data:
        first = (first ^ byte) * 0x100000001b3 % 2**64
        second = (second ^ (byte + (first >> 32))) * 0x100000001b3 % 2**64
    return f"{first:016x}{second:016x}"


def sampled(program, timing, end):
    words = [word for name, value in timing["parameters"].items() for word in ("--set", f"{name}={value}")]
    command = [program, "time", timing["file"], *words, "--lines", "--no-peers", "--json"]
    try:
        done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, timeout=max(1, end - time.monotonic()))
        report = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return None, "not finished in time"
    except ValueError:
        return None, done.stderr.strip()[-400:]
    found = report["timings"][0]
    if "lines" not in found:
        return None, found.get("error") or found.get("lines_error")
    if found["samples"] < FEWEST:
        return None, f"only {found['samples']} samples: the work is too small"
    return report, found


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("-o", "--output", required=True, type=pathlib.Path)
    options.add_argument("--program", default=str(ROOT / "build/release/lanescope"))
    options.add_argument("--only", action="append", default=[])
    options.add_argument("--seconds", type=float, default=3600)
    chosen = options.parse_args()
    recording = json.loads(chosen.output.read_text())
    slowest = {}
    for timing in recording["timings"]:
        name = timing["file"].removeprefix("kernels/").removesuffix(".cu")
        if "error" in timing or (chosen.only and name not in chosen.only):
            continue
        known = slowest.get(name)
        if not known or timing["median_ms"] > known["median_ms"]:
            slowest[name] = timing
    end, bad = time.monotonic() + chosen.seconds, 0
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        waiting = {name: pool.submit(sampled, chosen.program, timing, end) for name, timing in slowest.items()}
        for name, future in waiting.items():
            report, found = future.result()
            device = report and report["device"]
            if not report:
                print(f"{name}: {found}", flush=True)
                bad += 1
            elif any(device[key] != recording["device"][key] for key in ("name", "driver")):
                sys.exit(f"the recording is of {recording['device']['name']}, {recording['device']['driver']}; "
                         f"this is {device['name']}, {device['driver']}")
            else:
                slowest[name].update({key: found[key] for key in KEYS}, sampled=report["date"],
                                     text_hash=content_hash((ROOT / slowest[name]["file"]).read_bytes()))
                print(f"{name}: {found['samples']} samples, {len(found['lines'])} lines", flush=True)
    chosen.output.write_text(json.dumps(recording, indent=1) + "\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
