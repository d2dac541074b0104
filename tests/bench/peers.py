#!/usr/bin/env python3
"""Times the SIMT machine beside other ways to run a GPU kernel without a GPU. All run the same algorithms, sizes and
inputs in alternating rounds, and every result is checked. Prints medians and ratios as a table.

    tests/bench/peers.py [--rounds 3] [--build build/release]

Needs bench_simt, g++ and the packages oclgrind, ocl-icd-opencl-dev and opencl-headers. The package pocl-opencl-icd
adds PoCL as a second peer. Oclgrind interprets and checks every access, as the SIMT machine does. PoCL compiles the
kernel to machine code and checks nothing. Times are CPU times. A busy machine lengthens them, too, so the output shows
the load.
"""
import argparse
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
JOBS = ("convolution", "reduction")


def stop(message):
    print(f"peers.py: {message}", file=sys.stderr)
    sys.exit(2)


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        stop(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def needed(program, package):
    if shutil.which(program) is None:
        stop(f"{program} is not installed: apt-get install {package}")


def ours(build):
    """Returns seconds by job and mode: CPU time, or wall clock for all cores."""
    program = build / "bench_simt"
    if not program.exists():
        stop(f"{program} is not built: ninja -C {build} bench_simt")
    report = json.loads(run([program, "--benchmark_format=json", "--benchmark_filter=/optimized/"],
                            stdin=subprocess.DEVNULL))
    times = {}
    for row in report["benchmarks"]:
        if row.get("error_occurred"):
            stop(f"{row['name']}: {row['error_message']}")
        job, _, mode = row["name"].split("/")[:3]
        clock = "real_time" if mode == "all_cores" else "cpu_time"
        times[job, mode] = row[clock] / 1000
    return times


def peer(command, name, repetitions):
    report = json.loads(run([*command, name, HERE / "kernels.cl", str(repetitions)]))
    times = {(job, clock): min(each[clock] for each in report[job]) for job in JOBS for clock in ("cpu", "wall")}
    return times, report["version"]


def build_host(folder):
    host = folder / "opencl_peer"
    if not Path("/usr/include/CL/cl.h").exists():
        stop("CL/cl.h is missing: apt-get install ocl-icd-opencl-dev opencl-headers")
    run(["g++", "-std=c++20", "-O2", HERE / "opencl_peer.cpp", "-lOpenCL", "-o", host])
    return host


def has_pocl():
    folder = Path("/etc/OpenCL/vendors")
    return folder.is_dir() and any("pocl" in each.name for each in folder.iterdir())


def processor():
    found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    return found.group(1) if found else platform.processor()


def median_of(rounds, key):
    return statistics.median(each[key] for each in rounds)


def show(rounds, versions):
    print(f"\n| median of {len(rounds['ours'])} rounds | " + " | ".join(JOBS) + " |\n|---|" + "---|" * len(JOBS))

    def row(title, cells):
        print(f"| {title} | " + " | ".join(cells) + " |")

    def seconds(name, key):
        return [median_of(rounds[name], (job, key)) for job in JOBS]

    for mode in ("untraced", "all_cores", "traced"):
        clock = "wall clock, all cores" if mode == "all_cores" else f"one core, {mode}"
        row(f"SIMT machine, {clock}", [f"{each * 1000:.1f} ms" for each in seconds("ours", mode)])
    for name, version in versions.items():
        kind = "interpreter that checks" if name == "Oclgrind" else "compiler, checks nothing"
        row(f"{version} ({kind}), CPU time", [f"{each * 1000:.1f} ms" for each in seconds(name, "cpu")])
        row("the same, wall clock", [f"{each * 1000:.1f} ms" for each in seconds(name, "wall")])
        for mode in ("untraced", "traced"):
            ratios = [b / a for a, b in zip(seconds("ours", mode), seconds(name, "cpu"))]
            row(f"SIMT machine {mode} against {name}, per core", [f"{each:.3g}x" for each in ratios])
        ratios = [b / a for a, b in zip(seconds("ours", "all_cores"), seconds(name, "wall"))]
        row(f"SIMT machine untraced against {name}, in total", [f"{each:.3g}x" for each in ratios])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--build", type=Path, default=HERE.parent.parent / "build" / "release")
    options = parser.parse_args()
    needed("oclgrind", "oclgrind")
    needed("g++", "g++")
    rounds, versions = {"ours": []}, {}
    with tempfile.TemporaryDirectory() as folder:
        host = build_host(Path(folder))
        peers = {"Oclgrind": (["oclgrind", host], "Oclgrind", 1)}
        if has_pocl():
            peers["PoCL"] = ([host], "Portable Computing Language", 20)
        for _ in range(options.rounds):
            rounds["ours"].append(ours(options.build))
            for name, how in peers.items():
                times, version = peer(*how)
                versions[name] = re.search(rf"{name} [\w.+]+", version).group(0)
                rounds.setdefault(name, []).append(times)
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"{os.cpu_count()} cores of {processor()}; load over 1, 5 and 15 minutes: {load}")
    show(rounds, versions)


if __name__ == "__main__":
    main()
