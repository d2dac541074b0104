#!/usr/bin/env python3
"""Writes tests/timings/COUNTERS.md: what the CPU machine counts beside what a GPU measured, lesson by lesson, with the reason of
every difference, from assets/counters/nvidia-h200.json.

    tests/timings/counters_page.py [--check]          --check: writes nothing; exit status 1 if the page is out of date
"""
import collections
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDING = ROOT / "assets/counters/nvidia-h200.json"
PAGE = ROOT / "tests/timings/COUNTERS.md"
EQUAL = "equal"
USUAL = 2    # the most frequent reasons: the assembler's own instructions; the table leaves them out
CLOSE = "within 2 %: the GPU's number of passes through shared memory varies from run to run"
NAMES = 15   # of the metrics that both sides have
SHOWN = 1    # differences of one lesson; where there are more, the table has their number


def figure(value):
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def reason_of(row):
    if row.get("flagged"):
        return "not explained"
    return row.get("remark") or (EQUAL if row["counted"] == row["measured"] else CLOSE)


def compared(timing):
    """Yields (launch, row) for each figure that both sides have."""
    for launch in timing["counters"]["launches"]:
        for row in launch["metrics"]:
            if "counted" in row:
                yield launch, row


def differences(timing, marks):
    """Returns one entry for each metric and reason; several launches with the same figures count as one."""
    found = collections.Counter()
    for _, row in compared(timing):
        if reason_of(row) in marks:
            found[row["name"], row["counted"], row["measured"], marks[reason_of(row)]] += 1
    entries = []
    for (name, counted, measured, mark), count in found.items():
        times = f" ({count} launches)" if count > 1 else ""
        entries.append(f"`{name}` {figure(counted)} / {figure(measured)}{times} {mark}")
    if len(entries) > SHOWN:
        return f"{found.total()} figures {' '.join(sorted({mark for *_, mark in found}))}"
    return "; ".join(entries)


def row_of(timing, marks):
    name = timing["file"].removeprefix("kernels/").removesuffix(".cu")
    if "counted_error" in timing["counters"]:
        return f"| `{name}` | – | not compared: {timing['counters']['counted_error']} |"
    rows = [row for _, row in compared(timing)]
    equal = sum(reason_of(row) == EQUAL for row in rows)
    return f"| `{name}` | {equal} of {len(rows)} | {shown} |" if (shown := differences(timing, marks)) else None


def page_of(recording):
    timings = recording["timings"]
    reasons = collections.Counter(reason_of(row) for timing in timings for _, row in compared(timing))
    others = [(reason, count) for reason, count in reasons.most_common() if reason != EQUAL]
    marks = {reason: f"({chr(ord('a') + i)})" for i, (reason, _) in enumerate(others[USUAL:])}
    device = recording["device"]
    lines = ["# Counted and measured", "",
             f"What the CPU machine counts beside what an {device['name']} ({device['driver']}) measured with CUPTI's range profiler,",
             "for the same optimised code and inputs. `lanescope time FILE --counters` counts and measures again, or shows the recording.", "",
             f"| {sum(reasons.values()):,} figures | |", "|---|---|", f"| {reasons[EQUAL]:,} | {EQUAL} |"]
    lines += [f"| {count:,} {marks.get(reason, '')} | {reason} |" for reason, count in others]
    lines += ["", f"Each launch has up to {NAMES} of the [metrics](../../app/REPORT.md#metrics). The table has the differences with a letter, with",
              "the default parameters; a single one as counted / measured.", "",
              "| lesson | equal | different |", "|---|---|---|"]
    lines += [row for timing in timings if (row := row_of(timing, marks))]
    return "\n".join(lines) + "\n"


def main():
    page = page_of(json.loads(RECORDING.read_text(encoding="utf-8")))
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    if sys.argv[1:]:
        if PAGE.read_text(encoding="utf-8") != page:
            sys.exit(f"{PAGE.relative_to(ROOT)} is out of date: run tests/timings/counters_page.py")
        return
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
