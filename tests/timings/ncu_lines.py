#!/usr/bin/env python3
"""Compares the time of each line with Nsight Compute's, on this machine's GPU, and writes the two beside each other.

    tests/timings/ncu_lines.py -o tests/timings/h200_ncu_lines.json [--only NAME] [--cache-control all] [--seconds N]

Both sample the same optimised kernel at its slowest recorded size: `lanescope time --lines`, and Nsight Compute's section
SourceCounters, whose samples of each machine instruction its source page sums by line. An existing file keeps the kernels
that are not compared now. The exit status is 1 if a kernel could not be compared, or if a line differs by more than
--tolerance of the time.
"""
import argparse
import csv
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIMINGS = ROOT / "assets/timings/nvidia-h200.json"
LEAST = 0.005   # smaller shares in both are left out
LAUNCH = 2      # launches before the one that Nsight Compute samples
NAMES = ["barriers/matmul_tiled", "convolution/basic_2d", "convolution/filter3_neighbours_any_n", "convolution/tiled_2d",
         "first_steps/vector_add", "histogram/privatised", "memory/matmul_naive", "reduction/modulo", "reduction/sequential",
         "reduction/strided_index", "reduction/warp_shuffle", "transpose/naive", "transpose/tiled", "transpose/tiled_padded"]
# Nsight Compute's names of stall reasons, and those of `lanescope time --lines`.
REASONS = {"long_sb": "global_memory", "short_sb": "shared_memory", "barrier": "barrier", "wait": "arithmetic",
           "not_selected": "not_selected", "selected": "issues", "lg": "memory_queue", "mio": "shared_queue",
           "math": "pipe_busy", "tex": "texture_queue", "imc": "constant_cache", "no_inst": "instructions",
           "branch_resolving": "branch", "membar": "fence", "dispatch": "dispatch", "sleep": "sleeping", "sleeping": "sleeping",
           "drain": "drain", "gmma": "warpgroup", "misc": "other"}


class Failure(Exception):
    pass


def find_ncu():
    places = sorted(pathlib.Path("/usr/local").glob("cuda*/bin/ncu"))
    return shutil.which("ncu") or (str(places[-1]) if places else None)


def output_of(command, end):
    """Returns what the command prints; at the end of the time, ends it with all that it started."""
    process = subprocess.Popen(command, cwd=ROOT, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True)
    try:
        out, err = process.communicate(timeout=max(1, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise Failure(f"not finished in time: {' '.join(command[:3])} …") from None
    if process.returncode not in (0, 1):
        raise Failure(f"{' '.join(command[:3])} … ended with {process.returncode}: {(err or out).strip()[-300:]}")
    return out


def settings(timing):
    return [word for name, value in timing["parameters"].items() for word in ("--set", f"{name}={value}")]


def sampled_here(program, timing, end):
    """Returns the samples of `lanescope time --lines`."""
    text = output_of([program, "time", timing["file"], *settings(timing), "--lines", "--no-peers", "--json"], end)
    report = json.loads(text)
    found = report["timings"][0]
    if "lines" not in found:
        raise Failure(found.get("error") or found.get("lines_error"))
    return report, found


def source_page(ncu, program, timing, kernel, cache_control, end):
    """Returns the rows of Nsight Compute's source page for one launch, with the machine code below each line."""
    with tempfile.TemporaryDirectory() as folder:
        saved = pathlib.Path(folder) / "samples.ncu-rep"
        said = output_of([ncu, "--target-processes", "all", "--clock-control", "none", "--cache-control", cache_control, "--section",
                          "SourceCounters", "-k", f"regex:^{re.escape(kernel)}", "--launch-skip", str(LAUNCH), "--launch-count",
                          "1", "-f", "-o", str(saved), program, "time", timing["file"], *settings(timing), "--no-peers"], end)
        if not saved.exists():
            raise Failure(f"Nsight Compute wrote no report: {said.strip()[-300:]}")
        text = output_of([ncu, "--import", str(saved), "--page", "source", "--csv", "--print-source", "cuda,sass"], end)
    return list(csv.reader(text.splitlines()))


def counted(rows):
    """Sums the samples: ({(file, line): samples}, {reason: samples}). The rows of machine instructions have no line number."""
    head, path, lines, reasons = [], "", {}, {}
    for row in rows:
        if len(row) == 2 and row[0] == "File Path":
            path = row[1]
        elif row and row[0] == "Line No":
            head = row   # some names come twice, the first time for all samples
        elif head and len(row) == len(head) and row[0]:
            place = pathlib.Path(path).name, int(row[0])
            lines[place] = lines.get(place, 0) + int(row[head.index("# Samples")] or 0)
            for theirs, ours in REASONS.items():
                if f"stall_{theirs}" in head:
                    reasons[ours] = reasons.get(ours, 0) + int(row[head.index(f"stall_{theirs}")] or 0)
    return lines, reasons


def shares(theirs, ours, words):
    """Lists the shares of both, the largest first. `words`: a key as JSON."""
    total = sum(theirs.values()) or 1
    beside = {key: (round(theirs.get(key, 0) / total, 4), round(ours.get(key, 0), 4)) for key in {*theirs, *ours}}
    listed = sorted((key for key in beside if max(beside[key]) >= LEAST), key=lambda key: (-beside[key][1], str(key)))
    return [{**words(key), "ncu": beside[key][0], "lanescope": beside[key][1]} for key in listed]


def largest(rows):
    return round(max((abs(row["ncu"] - row["lanescope"]) for row in rows), default=0), 4)


def compared(timing, found, rows):
    theirs, their_reasons = counted(rows)
    total = sum(theirs.values())
    if not total:
        raise Failure(f"no samples in the {len(rows)} rows of Nsight Compute's source page")
    own = pathlib.Path(timing["file"]).name
    ours = {(line.get("file") or own, line["line"]): line["share"] for line in found["lines"]}
    our_reasons = {}
    for line in found["lines"]:
        for reason, share in line["stalls"].items():
            our_reasons[reason] = our_reasons.get(reason, 0) + share
    lines = shares(theirs, ours, lambda place: {"line": place[1], **({} if place[0] == own else {"file": place[0]})})
    reasons = shares(their_reasons, our_reasons, lambda reason: {"reason": reason})
    return {"file": timing["file"], "parameters": timing["parameters"], "kernel": next(iter(found["kernels"])), "ncu_samples": total,
            "lanescope_samples": found["samples"], "largest_difference_of_a_line": largest(lines),
            "largest_difference_of_a_reason": largest(reasons), "lines": lines, "reasons": reasons}


def slowest(recording):
    """Returns the slowest recorded size of each file: the start of a launch is the smallest part of its time."""
    found = {}
    for timing in recording["timings"]:
        name = timing["file"].removeprefix("kernels/").removesuffix(".cu")
        if "error" not in timing and (name not in found or timing["median_ms"] > found[name]["median_ms"]):
            found[name] = timing
    return found


def compare(name, timing, chosen, end):
    """Returns the head of the document and the kernel's entry."""
    report, found = sampled_here(chosen.program, timing, end)
    kernel = max(found["kernels"], key=found["kernels"].get)
    rows = source_page(chosen.ncu, chosen.program, timing, kernel.split("<")[0].split("(")[0], chosen.cache_control, end)
    entry = compared(timing, found, rows)
    version = re.search(r"Version ([\d.]+)", output_of([chosen.ncu, "--version"], end))
    flushed = "flushed before it" if chosen.cache_control == "all" else "left as they are"
    head = {"device": report["device"]["name"], "driver": report["device"]["driver"].rpartition("driver ")[2],
            "toolkit": "CUDA " + report["device"]["toolkit"],
            "profiler": "Nsight Compute" + (f" {version[1]}" if version else "")}
    # Kernels that stay in the file may have been compared on another day and in another way.
    entry = {**entry, "date": report["date"][:10],
             "how": f"shares of lines and stall reasons: ncu --clock-control none --cache-control {chosen.cache_control} --section "
                    f"SourceCounters of one launch after {LAUNCH} others, caches {flushed}, beside those of 'lanescope time "
                    f"--lines' on the same day with the same parameters; below {LEAST} in both: left out"}
    print(f"{name}: {entry['ncu_samples']} and {entry['lanescope_samples']} samples; largest difference of a line "
          f"{entry['largest_difference_of_a_line']:.4f}, of a reason {entry['largest_difference_of_a_reason']:.4f}", flush=True)
    return head, entry


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("-o", "--output", required=True, type=pathlib.Path)
    options.add_argument("--program", default=str(ROOT / "build/release/lanescope"))
    options.add_argument("--ncu", default=find_ncu(), help="Nsight Compute's program")
    options.add_argument("--only", action="append", default=[], choices=NAMES, metavar="NAME")
    options.add_argument("--cache-control", default="none", choices=["none", "all"], help="all: flush the caches before the launch")
    options.add_argument("--tolerance", type=float, default=0.05)
    options.add_argument("--seconds", type=float, default=3600)
    chosen = options.parse_args()
    if not chosen.ncu or not os.access(chosen.ncu, os.X_OK):
        sys.exit("no Nsight Compute: install it with the CUDA Toolkit, or name its program with --ncu")
    end, recorded, bad = time.monotonic() + chosen.seconds, slowest(json.loads(TIMINGS.read_text())), 0
    document = json.loads(chosen.output.read_text()) if chosen.output.exists() else {"kernels": []}
    entries = {entry["file"]: entry for entry in document["kernels"]}
    for name in chosen.only or NAMES:
        try:
            head, entry = compare(name, recorded[name], chosen, end)
        except (Failure, ValueError, KeyError) as failure:
            print(f"{name}: {failure}", flush=True)
            bad += 1
            continue
        bad += entry["largest_difference_of_a_line"] > chosen.tolerance
        entries[entry["file"]] = entry
        document = {**document, **head, "kernels": [entries[file] for file in sorted(entries)]}
        chosen.output.write_text(json.dumps(document, indent=1) + "\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
