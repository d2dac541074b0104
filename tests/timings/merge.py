#!/usr/bin/env python3
"""Puts what `lanescope time` found in further runs into the recordings that ship.

    tests/timings/merge.py occupancy REPORT.json…    into the timings of the same files and sizes in assets/timings
    tests/timings/merge.py counters REPORT.json…     into assets/counters, a line for each metric: with counts beside them
    tests/timings/merge.py figures REPORT.json…      into assets/timings: what only a GPU has, such as bytes of its memory

The reports are outputs of `lanescope time --json`, with `--counters` for the second form and `--counters --no-counts`
for the third, of the same GPU, driver and toolkit as the recording, and of the present texts of the files.
"""
import json
import pathlib
import sys

from lines import content_hash

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIMINGS = ROOT / "assets/timings/nvidia-h200.json"
COUNTERS = ROOT / "assets/counters/nvidia-h200.json"
FIGURES = ("l1_hit_percent", "l2_hit_percent", "dram_read_bytes", "dram_write_bytes", "achieved_occupancy_percent", "gpu_ns")


def identity(timing):
    return timing["file"], tuple(sorted(timing["parameters"].items()))


def check_device(report, recording, name):
    for key in ("name", "driver", "toolkit"):
        if report["device"][key] != recording["device"][key]:
            sys.exit(f"{name}: {key} is {report['device'][key]!r}, but the recording has {recording['device'][key]!r}")


def check_text(timing):
    """Counters belong to a text: the program shows them only beside it."""
    if timing.get("text_hash") != content_hash((ROOT / timing["file"]).read_bytes()):
        sys.exit(f"{timing['file']} is not the text that was measured")


def merge_occupancy(reports, recording):
    found = {identity(t): t["occupancy"] for r in reports for t in r["timings"] if "occupancy" in t}
    missing = 0
    for timing in recording["timings"]:
        if "error" in timing:
            continue
        if identity(timing) in found:
            timing["occupancy"] = found[identity(timing)]
        missing += "occupancy" not in timing
    TIMINGS.write_text(json.dumps(recording, indent=1, ensure_ascii=False) + "\n")
    print(f"{len(found)} occupancies, {missing} timings without one")


def counters_text(report):
    """Returns JSON with one line for each metric, so that a difference is readable."""
    text = json.dumps(report, indent=1, ensure_ascii=False)
    lines, row = [], None
    for line in text.splitlines():
        if row is None and line.strip() == "{" and len(line) - len(line.lstrip()) == 7:
            row = [line]
        elif row is not None:
            row.append(line.strip())
            if row[-1] in ("}", "},"):
                lines.append(" ".join(row))
                row = None
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def merge_counters(reports):
    """Puts in or replaces the files with counters."""
    counted = {t["file"]: t for r in reports for t in r["timings"] if "counters" in t}
    for timing in counted.values():
        check_text(timing)
    document = json.loads(COUNTERS.read_text())
    document["timings"] = sorted([t for t in document["timings"] if t["file"] not in counted] + [*counted.values()],
                                 key=lambda t: t["file"])
    COUNTERS.write_text(counters_text(document))
    print(f"{len(counted)} files with counters, {len(document['timings'])} in all")


def merge_figures(reports, recording):
    """Keeps what has no count beside it. The counts of large inputs take the CPU machine too long."""
    found = {identity(t): dict(t, date=r["date"]) for r in reports for t in r["timings"] if "counters" in t}
    merged = 0
    for timing in recording["timings"]:
        measured = found.get(identity(timing))
        if not measured or "error" in timing:
            continue
        check_text(measured)
        launches = [{"kernel": each["kernel"], "metrics": [m for m in each["metrics"] if m["name"] in FIGURES]}
                    for each in measured["counters"]["launches"]]
        timing["counters"] = {"passes": measured["counters"]["passes"], "launches": launches}
        timing["counted"] = measured["date"]
        timing["text_hash"] = measured["text_hash"]
        merged += 1
    TIMINGS.write_text(counters_text(recording))
    print(f"{merged} timings with counters")


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("occupancy", "counters", "figures"):
        sys.exit(__doc__)
    reports = [json.loads(pathlib.Path(name).read_text()) for name in sys.argv[2:]]
    recording = json.loads(TIMINGS.read_text())
    for report, name in zip(reports, sys.argv[2:]):
        check_device(report, recording, name)
    if sys.argv[1] == "occupancy":
        merge_occupancy(reports, recording)
    elif sys.argv[1] == "figures":
        merge_figures(reports, recording)
    else:
        merge_counters(reports)


main()
