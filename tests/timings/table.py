#!/usr/bin/env python3
"""Writes the tables of counts and timings into kernels/README.md, from assets/counts.json,
assets/timings/nvidia-h200.json and tests/timings/h200_sweep.json.

    tests/timings/table.py [--check]          --check: writes nothing; exit status 1 if the tables are out of date
"""
import json
import pathlib
import sys

from lines import content_hash

ROOT = pathlib.Path(__file__).resolve().parents[2]
COUNTS = ROOT / "assets/counts.json"
RECORDING = ROOT / "assets/timings/nvidia-h200.json"
SWEEP = ROOT / "tests/timings/h200_sweep.json"
PAGE = ROOT / "kernels/README.md"
BEGIN, END = "<!-- timings: tests/timings/table.py writes this part -->\n", "<!-- end of the timings -->\n"


def time_words(ms):
    value, unit = (ms * 1000, "µs") if ms < 1 else (ms, "ms")
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {unit}"


def number_words(value):
    if value >= 65536 and value & (value - 1) == 0:
        return f"2^{value.bit_length() - 1}"
    return str(value)


def rate_words(rate):
    return f"{rate:.0f}" if rate >= 10 else f"{rate:.2g}"


def largest(timings):
    """Returns each file's runs with the most bytes: several if data or mask change that by a thousandth at most."""
    good = [timing for timing in timings if "error" not in timing]
    most = {}
    for timing in good:
        most[timing["file"]] = max(most.get(timing["file"], 0), timing.get("bytes", 0))
    return [timing for timing in good if timing.get("bytes", 0) >= 0.999 * most[timing["file"]]]


def ratio_words(ratio):
    return f"{ratio:.2f}×" if ratio >= 0.1 else f"{ratio:.1g}×"


def row(timing, copy):
    name = timing["file"].removeprefix("kernels/").removesuffix(".cu")
    settings = ", ".join(f"{key} = {number_words(value)}" for key, value in timing["parameters"].items())
    rate = share = "–"
    if timing.get("gb_per_s"):
        rate, percent = rate_words(timing["gb_per_s"]), 100 * timing["gb_per_s"] / copy
        share = f"{percent:.0f} %" if percent >= 10 else f"{percent:.2g} %"
    peer = timing.get("peer", {})
    beside = "–"
    if peer.get("median_ms"):
        ratio = peer["median_ms"] / timing["median_ms"]
        beside = f"{peer['library']} `{peer['name']}` {time_words(peer['median_ms'])}: {ratio_words(ratio)}"
    note = "" if timing["checked"] == "ok" else " ¹" if timing.get("expected_problems") else " ²"
    return f"| `{name}`{note} | {settings or '–'} | {time_words(timing['median_ms'])} | {rate} | {share} | {beside} |"


def per_request(metrics, kinds, unit):
    """Returns the sectors or wavefronts per request for each kind of access."""
    words = []
    for kind in kinds:
        requests, count = metrics[f"{kind}_requests"], metrics[f"{kind}_{unit}"]
        words.append(f"{count / requests:.1f}" if requests else "–")
    return " / ".join(words) if any(word != "–" for word in words) else "–"


def counted_row(name, lesson):
    metrics = lesson["metrics"]
    settings = ", ".join(f"{key} = {number_words(value)}" for key, value in lesson["parameters"].items())
    return (f"| `{name}` | {settings or '–'} | {lesson['steps']} | {metrics['warp_instructions']} "
            f"| {100 * metrics['simt_efficiency']:.1f} % "
            f"| {per_request(metrics, ('global_load', 'global_store'), 'sectors')} "
            f"| {per_request(metrics, ('shared_load', 'shared_store'), 'wavefronts')} |")


def counted_part(counts):
    return "\n".join([
        "## Counts", "",
        "The CPU machine runs each file with its default parameters, in debug code and round robin. The table shows its counts: "
        "the steps of block 0 over",
        "all launches, the warp instructions of the grid, the SIMT efficiency, the sectors per request to global memory "
        "(loads / stores) and the wavefronts",
        "per request to shared memory (loads / stores). Whole warps with 4-byte accesses and without bank conflicts need 4.0 "
        "and 1.0.", "",
        "| file | parameters | steps | warp instructions | SIMT efficiency | sectors per request | wavefronts per request |",
        "|---|---|---|---|---|---|---|",
        *(counted_row(name, lesson) for name, lesson in counts["lessons"].items()), "", ""])


def part(report):
    device = report["device"]
    lines = [
        "## Timings", "",
        f"Recorded on {device['name']} ({device['driver']}, {report['date'][:10]}, SM clock {device['clocks']['sm_mhz']} MHz): "
        "optimised code, the median of at least 21 runs over rotating",
        "inputs larger than the L2 cache, each file at its largest recorded size. The window's Timings tab and "
        "`lanescope time` show all sizes.",
        "GB/s is the bytes that the problem must read and write at least once, divided by the time. The ceiling is a copy within "
        f"the device of 2^29 bytes, {device['copy_gb_per_s']:.0f} GB/s read",
        "and written. Reading alone can be faster than that. The last column shows the library's time for the same input, and the "
        "library's time divided by the lesson's.", "",
        "| file | parameters | time | GB/s | of the copy | library |", "|---|---|---|---|---|---|",
        *(row(timing, device["copy_gb_per_s"]) for timing in largest(report["timings"])), "",
        "¹ shows a defect: its result may be wrong. ² has nothing to check.", ""]
    return "\n".join(lines)


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
    names, sizes = list(by_size), sorted({size for rows in by_size.values() for size in rows})
    empty = f"| an empty kernel | {' | '.join([time_words(device['empty_launch_ms'])] * len(names))} |"
    return "\n".join([
        "## Every size", "",
        f"The fastest file of each topic beside its peer, on {device['name']} ({device['driver']}): the lesson's time / the peer's time, "
        "and the peer's time divided by the",
        "lesson's. Both include the launch, which alone takes as long as the first row says.", "",
        *(sweep_head(topic) for topic in sweep["topics"]), "",
        f"| elements | {' | '.join(names)} |", f"|---|{'---|' * len(names)}", empty,
        *(f"| {number_words(size)} | {' | '.join(sweep_cell(by_size[name].get(size)) for name in names)} |" for size in sizes), "", ""])


def current_page():
    """Returns the text of the page as it is, and as it should be."""
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    counts, report, sweep = (json.loads(file.read_text(encoding="utf-8")) for file in (COUNTS, RECORDING, SWEEP))
    return page, before + BEGIN + counted_part(counts) + part(report) + swept_part(sweep) + END + after


def main():
    page, wanted = current_page()
    if "--check" in sys.argv[1:]:
        if page != wanted:
            sys.exit("kernels/README.md: the tables of counts and timings are out of date; run tests/timings/table.py")
    else:
        PAGE.write_text(wanted, encoding="utf-8")


if __name__ == "__main__":
    main()
