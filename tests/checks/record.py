#!/usr/bin/env python3
"""Records what the four tools of compute-sanitizer say about the kernels of tests/checks. Needs a GPU.

    tests/checks/record.py [--launcher PATH] [--images FOLDER] [--seconds N] [--raw FILE] OUT [CASE…]

Runs the kernels' debug code, with one process per kernel and tool, so that a fault affects no other run. A process
that hangs is stopped. `--images` names a folder with faulty.NAME.debug.ptx (or correct.…), printed by the launcher, and
.cubin, assembled from it by `ptxas -g`. Without it the launcher compiles and assembles everything, without lines.
"""

import argparse
import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from case import FOLDER, all_cases
from sanitizer import TOOLS, digest, save

LIMIT_S, HANGING_LIMIT_S = 45, 12
OPTIONS = {"memcheck": [], "racecheck": ["--racecheck-report", "all"], "initcheck": [], "synccheck": []}


def hangs(case):
    return any(finding.kind in ("deadlock", "step_limit") for finding in case.expected)


def watch(options, sanitizer, case, tool):
    """Returns the output of one process and its end: the exit status, "timeout", or "" if there was no time left."""
    if time.monotonic() > options.deadline:
        return "", ""
    command = [sanitizer, "--tool", tool, "--show-backtrace", "device", "--print-limit", "200", *OPTIONS[tool],
               str(options.launcher.resolve()), str(case.path.relative_to(FOLDER)), "debug"]
    if options.images:
        command.append(str(options.images.resolve() / f"{case.path.parent.name}.{case.path.stem}.debug"))
    child = subprocess.Popen(command, cwd=FOLDER, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, start_new_session=True, text=True, errors="replace")
    try:
        out, _ = child.communicate(timeout=HANGING_LIMIT_S if hangs(case) else LIMIT_S)
        return out, str(child.returncode)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        out, _ = child.communicate()
        return out, "timeout"


def answer(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


def origin(sanitizer, texts):
    """Returns where and when the reports were recorded."""
    version = re.search(r"ersion ([\d.]+)", answer(sanitizer, "--version"))
    device = next((match[1] for text in texts if (match := re.search(r"^(NVIDIA [^,]+), ", text, re.M))), "unknown")
    return {"device": device, "driver": answer("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"),
            "sanitizer": version[1] if version else "unknown", "date": time.strftime("%Y-%m-%d", time.gmtime())}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--launcher", type=Path, default=FOLDER.parent.parent / "build" / "release" / "parity_launch")
    parser.add_argument("--images", type=Path)
    parser.add_argument("--seconds", type=float, default=3600, help="start no process after this time")
    parser.add_argument("--jobs", type=int, default=16)
    parser.add_argument("--raw", type=Path, help="write the compressed output of the tools to this file")
    parser.add_argument("out", type=Path)
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    options.deadline = time.monotonic() + options.seconds
    sanitizer = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    cases = sorted(all_cases(options.cases), key=hangs)
    runs = [(case, tool) for case in cases for tool in TOOLS]
    with ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda run: watch(options, sanitizer, *run), runs))
    if options.raw:
        raw = {f"{case.name} {tool}": result for (case, tool), result in zip(runs, results)}
        options.raw.write_bytes(gzip.compress(json.dumps(raw).encode()))
    entries = {}
    for (case, tool), (out, status) in zip(runs, results):
        if status:
            entry = entries.setdefault(case.name, {"code": case.code_hash})
            entry[tool] = digest(out, status, case.first_line)
    save(options.out, origin(sanitizer, [out for out, _ in results]), entries)
    print(f"{sum(1 for _, status in results if status)} of {len(runs)} recorded, "
          f"{sum(status == 'timeout' for _, status in results)} stopped at the time limit")


main()
