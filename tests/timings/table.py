#!/usr/bin/env python3
"""Writes the table of the fastest files at every size into kernels/REFERENCE.md, from tests/timings/h200_sweep.json.

    tests/timings/table.py [--check]          --check: writes nothing; exit status 1 if the table is out of date
"""
import json
import pathlib
import sys

from lines import content_hash

ROOT = pathlib.Path(__file__).resolve().parents[2]
SWEEP = ROOT / "tests/timings/h200_sweep.json"
PAGE = ROOT / "kernels/REFERENCE.md"
BEGIN, END = "<!-- timings: tests/timings/table.py writes this part -->\n", "<!-- end of the timings -->\n"


def time_words(ms):
    value, unit = (ms * 1000, "µs") if ms < 1 else (ms, "ms")
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {unit}"


def number_words(value):
    if value >= 65536 and value & (value - 1) == 0:
        return f"2^{value.bit_length() - 1}"
    return str(value)


def ratio_words(ratio):
    return f"{ratio:.2f}×" if ratio >= 0.1 else f"{ratio:.1g}×"


def sweep_cell(row):
    """Returns "12.3 / 14.1 µs, 1.15×": the lesson's time, its peer's, and how much faster the lesson is."""
    if not row:
        return "–"
    peer = row.get("peer")
    if not peer:
        return time_words(row["median_ms"])
    return f"{time_words(row['median_ms'])} / {time_words(peer['median_ms'])}, {ratio_words(peer['median_ms'] / row['median_ms'])}"


def sweep_settings(topic):
    """Returns what the runs of a topic have in common and what changes: "block = 128 to 512, blocks = 528"."""
    values = {}
    sizes = ("rows", "quads") if topic["topic"] == "convolution" else ("n", "row_quads", "col_quads")
    for row in topic["rows"]:
        for key, value in row["parameters"].items():
            if key not in sizes:
                values.setdefault(key, set()).add(value)
    return ", ".join(f"{key} = {min(found)}" + (f" to {max(found)}" if len(found) > 1 else "") for key, found in values.items())


def sweep_head(topic):
    text = (ROOT / topic["file"]).read_bytes()
    older = " (an earlier text of the file)" if content_hash(text) != topic["text_hash"] else ""
    peer = next((row["peer"] for row in topic["rows"] if row.get("peer")), None)
    name = topic["file"].removeprefix("kernels/").removesuffix(".cu")
    beside = "a copy" if peer and peer["name"] == "copy" else f"{peer['library']} `{peer['name']}`" if peer else "–"
    settings = sweep_settings(topic)
    return f"- `{name}`{older} beside {beside}, {topic['date'][:10]}{': ' + settings if settings else ''}."


def swept_part(sweep):
    device = sweep["device"]
    by_size = {topic["topic"]: {row["elements"]: row for row in topic["rows"]} for topic in sweep["topics"]}
    names, sizes = list(by_size), sorted({size for rows in by_size.values() for size in rows
                                       if size.bit_length() % 2})  # each fourfold size: a page has little room
    empty = f"| an empty kernel | {' | '.join([time_words(device['empty_launch_ms'])] * len(names))} |"
    return "\n".join([
        "## The fastest lessons, by size", "",
        f"The lesson's time / the peer's time, and the peer's divided by the lesson's, on {device['name']} ({device['driver']}).",
        "Both include the launch; the first row is the time of an empty kernel. `lanescope time` and the tab Timings have all lessons.", "",
        *(sweep_head(topic) for topic in sweep["topics"]), "",
        f"| elements | {' | '.join(names)} |", f"|---|{'---|' * len(names)}", empty,
        *(f"| {number_words(size)} | {' | '.join(sweep_cell(by_size[name].get(size)) for name in names)} |" for size in sizes), "", ""])


def current_page():
    """Returns the text of the page as it is, and as it should be."""
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    return page, before + BEGIN + swept_part(json.loads(SWEEP.read_text(encoding="utf-8"))) + END + after


def main():
    page, wanted = current_page()
    if "--check" in sys.argv[1:]:
        if page != wanted:
            sys.exit("kernels/REFERENCE.md: the table of times is out of date; run tests/timings/table.py")
    else:
        PAGE.write_text(wanted, encoding="utf-8")


if __name__ == "__main__":
    main()
