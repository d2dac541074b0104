#!/usr/bin/env python3
"""Puts what `lanescope time` found in further runs into the recordings that ship.

    tests/timings/merge.py occupancy REPORT.json…    into the timings of the same files and sizes in assets/timings
    tests/timings/merge.py counters REPORT.json…     writes assets/counters/nvidia-h200.json, a line for each metric

The reports are outputs of `lanescope time --json`, with `--counters` for the second form, of the same GPU, driver and
toolkit as the recording.
"""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIMINGS = ROOT / "assets/timings/nvidia-h200.json"
COUNTERS = ROOT / "assets/counters/nvidia-h200.json"


def identity(timing):
    return timing["file"], tuple(sorted(timing["parameters"].items()))


def check_device(report, recording, name):
    for key in ("name", "driver", "toolkit"):
        if report["device"][key] != recording["device"][key]:
            sys.exit(f"{name}: {key} is {report['device'][key]!r}, but the recording has {recording['device'][key]!r}")


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
    """Keeps the files with counters; the recording of times is elsewhere, so that only what is read back stays."""
    counted = [t for r in reports for t in r["timings"] if "counters" in t]
    document = {"device": reports[0]["device"], "date": min(r["date"] for r in reports),
                "timings": sorted(counted, key=lambda t: t["file"])}
    COUNTERS.parent.mkdir(exist_ok=True)
    COUNTERS.write_text(counters_text(document))
    print(f"{len(counted)} files with counters")


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("occupancy", "counters"):
        sys.exit(__doc__)
    reports = [json.loads(pathlib.Path(name).read_text()) for name in sys.argv[2:]]
    recording = json.loads(TIMINGS.read_text())
    for report, name in zip(reports, sys.argv[2:]):
        check_device(report, recording, name)
    if sys.argv[1] == "occupancy":
        merge_occupancy(reports, recording)
    else:
        merge_counters(reports)


main()
