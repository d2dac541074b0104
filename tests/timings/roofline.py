#!/usr/bin/env python3
"""Records what `lanescope time --roofline` shows beside the times, in assets/roofline/nvidia-h200.json.

    tests/timings/roofline.py peaks      on the machine with the GPU: times assets/roofline/peaks.cu
    tests/timings/roofline.py lessons    runs each lesson on the CPU machine; needs no GPU

`peaks` measures the most operations of each kind in a second. `lessons` notes of which kind most operations of each
lesson are, and how many bytes the sectors that its requests touch have for each operation: in optimised code, with the
default parameters. Run it after a change of a lesson.
"""
import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDING = ROOT / "assets/roofline/nvidia-h200.json"
PEAKS = "assets/roofline/peaks.cu"
KINDS = {"float_multiply_add": 0, "float_add": 1, "int_multiply_add": 2, "int_add": 3, "matrix": 4}  # peaks.cu's parameter `kind`
# Operations that take the same unit of the GPU as one of these, and how many operations one of them is.
COUNTS_AS = {"float_multiply_add": ("float_multiply_add", 2), "float_add": ("float_add", 1),
             "float_multiply": ("float_add", 1), "matrix": ("matrix", 256), "int_multiply_add": ("int_multiply_add", 2), "int_add": ("int_add", 1)}
BLOCKS_OF_A_MULTIPROCESSOR, BLOCK, ROUNDS = 16, 256, 4096
SECTOR_BYTES = 32
FEWEST_RUNS = 21


def content_hash(data):
    """That of app/base/files.h."""
    first, second = 0xcbf29ce484222325, 0x84222325cbf29ce4
    for byte in data:
        first = (first ^ byte) * 0x100000001b3 % 2**64
        second = (second ^ (byte + (first >> 32))) * 0x100000001b3 % 2**64
    return f"{first:016x}{second:016x}"


def ask(program, words):
    done = subprocess.run([program, *words, "--json"], cwd=ROOT, text=True, capture_output=True)
    try:
        return json.loads(done.stdout)
    except ValueError:
        sys.exit(f"{' '.join(words)}: exit {done.returncode}: {done.stderr.strip()[-400:]}")


def timed_peak(program, kind, blocks):
    words = ["time", PEAKS, "--set", f"kind={KINDS[kind]}", "--set", f"rounds={ROUNDS}", "--set", f"block={BLOCK}",
             "--set", f"blocks={blocks}"]
    return ask(program, words)


def peaks_of(reports):
    """The document without lessons, from a report for each kind of operation."""
    peaks = []
    for kind, report in reports.items():
        timing = report["timings"][0]
        if timing["parameters"]["kind"] != KINDS[kind] or timing["runs"] < FEWEST_RUNS:
            sys.exit(f"the report for {kind} is of another run: {timing}")
        peaks.append({"operation": kind, "gop_per_s": timing["gop_per_s"], "file": timing["file"],
                      "parameters": timing["parameters"], "median_ms": timing["median_ms"], "runs": timing["runs"]})
    first = next(iter(reports.values()))
    return {"device": first["device"], "date": first["date"], "peaks": peaks}


def measured_peaks(program):
    multiprocessors = timed_peak(program, "float_add", 1)["device"]["multiprocessors"]
    return peaks_of({kind: timed_peak(program, kind, BLOCKS_OF_A_MULTIPROCESSOR * multiprocessors) for kind in KINDS})


def counted_lesson(program, file):
    plain = ask(program, ["run", str(file)])
    report = ask(program, ["run", str(file), "--code", "optimized"])
    # One product of matrices is counted once for each lane, whatever its shape: then bytes for each operation are not known.
    counts = [launch["metrics"]["data_operations"] for launch in plain["launches"]]
    operations = 0 if any("matrix" in count for count in counts) else sum(sum(count.values()) for count in counts)
    totals, sectors = {}, 0
    for launch in report["launches"]:
        metrics = launch["metrics"]
        for operation, count in metrics["data_operations"].items():
            kind, each = COUNTS_AS.get(operation, ("", 1))
            totals[kind] = totals.get(kind, 0) + each * count
        totals[""] = totals.get("", 0) + metrics["operations"].get("atomic", 0)
        sectors += sum(metrics[f"global_{way}_sectors"] for way in ("load", "store", "atomic"))
    return {"file": str(file), "text_hash": content_hash((ROOT / file).read_bytes()),
            "operation": max(totals, key=totals.get, default=""),
            "bytes_per_operation": round(SECTOR_BYTES * sectors / operations, 4) if operations else 0}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["peaks", "lessons"])
    parser.add_argument("--program", default=str(ROOT / "build/release/lanescope"))
    parser.add_argument("--reports", nargs="*", type=pathlib.Path,
                        help="peaks: outputs of `lanescope time --json` for peaks.cu instead of new ones")
    args = parser.parse_args()
    document = json.loads(RECORDING.read_text()) if RECORDING.exists() else {"lessons": []}
    if args.what == "peaks" and args.reports:
        reports = [json.loads(path.read_text()) for path in args.reports]
        names = {number: kind for kind, number in KINDS.items()}
        document |= peaks_of({names[r["timings"][0]["parameters"]["kind"]]: r for r in reports})
    elif args.what == "peaks":
        document |= measured_peaks(args.program)
    else:
        files = sorted(path.relative_to(ROOT) for path in (ROOT / "kernels").glob("*/*.cu"))
        document["lessons"] = [counted_lesson(args.program, file) for file in files]
    lessons = document.pop("lessons")
    text = json.dumps(document, indent=1, ensure_ascii=False)
    lines = ",\n".join("  " + json.dumps(lesson, ensure_ascii=False) for lesson in lessons)
    RECORDING.write_text(text[:-2] + ',\n "lessons": [\n' + lines + "\n ]\n}\n")
    print(f"{len(document['peaks'])} peaks, {len(lessons)} lessons")


main()
