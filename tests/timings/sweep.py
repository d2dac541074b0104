#!/usr/bin/env python3
"""Times the fastest file of each topic over its sizes, beside its peer, and writes tests/timings/h200_sweep.json.

    tests/timings/sweep.py [-o FILE] [--only TOPIC] [--seconds N]

A file runs at each size with the blocks that PLANS gives. tests/timings/table.py makes the table in kernels/REFERENCE.md. An
existing recording of the same GPU and driver keeps the topics that are not timed now. The exit status is 1 if a size could
not be timed or its result was wrong; the recording is written in each case.
"""
import argparse
import concurrent.futures
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from lines import content_hash  # noqa: E402
from record import measure  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SWEEP = ROOT / "tests/timings/h200_sweep.json"
AT_ONCE = 2  # topics: one prepares its inputs while the other is timed
KEPT = ("name", "driver", "toolkit", "multiprocessors", "copy_gb_per_s", "empty_launch_ms")


def powers(name, first, last):
    return f"{name}={','.join(f'2^{power}' for power in range(first, last + 1))}"


# For each topic: the file; a file whose peer is a copy, where the file's own peer is another library; and runs of settings:
# grids suit the size, and a run of few large sizes is over in time.
PLANS = {
    "reduction": ("reduction/fastest", None, [
        [powers("n", 16, 19), "blocks=132", "block=512"],
        [powers("n", 20, 21), "blocks=264", "block=1024"],
        [powers("n", 22, 23), "blocks=132", "block=1024"],
        [powers("n", 24, 26), "blocks=528", "block=1024"],
        [powers("n", 27, 27), "blocks=528", "block=1024"],
        [powers("n", 28, 28), "blocks=528", "block=1024"]]),
    "scan": ("scan/fastest", None, [
        [powers("n", 16, 19), "block=128", "rows=8"],
        [powers("n", 20, 20), "block=256", "rows=8"],
        [powers("n", 21, 22), "block=512", "rows=8"],
        [powers("n", 23, 23), "block=512", "rows=16"],
        [powers("n", 24, 26), "block=512", "rows=24"],
        [powers("n", 27, 27), "block=512", "rows=24"],
        [powers("n", 28, 28), "block=512", "rows=24"]]),
    "histogram": ("histogram/fastest", None, [
        [powers("n", 16, 17), "blocks=66", "block=512"],
        [powers("n", 18, 20), "blocks=66", "block=1024"],
        [powers("n", 21, 22), "blocks=132", "block=512"],
        [powers("n", 23, 26), "blocks=264", "block=1024"],
        [powers("n", 27, 27), "blocks=264", "block=1024"],
        [powers("n", 28, 28), "blocks=264", "block=1024"]]),
    "transpose": ("transpose/fastest", "transpose/copy", [
        [f"row_quads={side}", f"col_quads={side}"] for side in (64, 128, 256, 512, 1024, 2048, 4096)]),
    "convolution": ("convolution/fastest", None, [
        [f"rows={4 * quads}", f"quads={quads}", "width=5"] for quads in (64, 128, 256, 512, 1024, 2048, 4096)]),
}


def words_of(file, settings):
    words = [f"kernels/{file}.cu"]
    for setting in settings:
        words += ["--sweep" if "," in setting else "--set", setting]
    return words


def elements_of(parameters):
    if "n" in parameters:
        return parameters["n"]
    if "cols" in parameters:
        return parameters["rows"] * parameters["cols"]
    if "quads" in parameters:
        return 4 * parameters["rows"] * parameters["quads"]
    return 16 * parameters["row_quads"] * parameters["col_quads"]


def copies_settings(settings):
    """The matrix of transpose/copy.cu with the same elements."""
    sizes = dict(setting.split("=") for setting in settings)
    return [f"rows={4 * int(sizes['row_quads'])}", f"cols={4 * int(sizes['col_quads'])}"]


def short(timing):
    return {key: timing[key] for key in ("median_ms", "lower_quartile_ms", "upper_quartile_ms", "runs")}


def row_of(timing):
    row = {"parameters": timing["parameters"], "elements": elements_of(timing["parameters"]), **short(timing),
           "checked": timing["checked"]}
    if "median_ms" in timing.get("peer", {}):
        peer = timing["peer"]
        row["peer"] = {"name": peer["name"], "library": peer["library"], **short(peer)}
    return row


class Sweep:
    def __init__(self, program, end):
        self.program, self.end = program, end
        self.reports, self.bad = [], []

    def timings(self, words):
        report, reason, _ = measure(self.program, words, [], self.end)
        if not report:
            self.bad.append(f"{' '.join(words)}: {reason}")
            return []
        self.reports.append(report)
        for timing in report["timings"]:
            if timing.get("checked") != "ok":
                self.bad.append(f"{' '.join(words)}: {timing.get('error') or timing.get('mismatch')}")
        return [timing for timing in report["timings"] if "error" not in timing]

    def topic(self, name):
        file, copy, runs = PLANS[name]

        rows = []
        for settings in runs:
            rows += [row_of(timing) for timing in self.timings(words_of(file, settings))]
            if copy and rows:
                copied = self.timings(words_of(copy, copies_settings(settings)))
                rows[-1]["peer"] = row_of(copied[0]).get("peer") if copied else None
        text = (ROOT / f"kernels/{file}.cu").read_bytes()
        return {"topic": name, "file": f"kernels/{file}.cu", "text_hash": content_hash(text),
                "date": min(r["date"] for r in self.reports) if self.reports else "", "rows": rows}


def head_of(reports):
    device = {key: reports[0]["device"][key] for key in KEPT}
    for key in ("copy_gb_per_s", "empty_launch_ms"):
        values = sorted(report["device"][key] for report in reports)
        device[key] = values[len(values) // 2]
    return device


def text_of(document):
    """Returns JSON with a line for each row, so that a difference is readable."""
    topics = []
    for topic in document["topics"]:
        head = json.dumps({key: value for key, value in topic.items() if key != "rows"})[:-1]
        rows = ",\n   ".join(json.dumps(row) for row in topic["rows"])
        topics.append(f'  {head}, "rows": [\n   {rows}]}}')
    return f'{{"device": {json.dumps(document["device"])},\n "topics": [\n' + ",\n".join(topics) + "\n ]}\n"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("-o", "--output", type=pathlib.Path, default=SWEEP)
    options.add_argument("--program", default=str(ROOT / "build/release/lanescope"))
    options.add_argument("--only", action="append", choices=sorted(PLANS))
    options.add_argument("--seconds", type=float, default=3600)
    chosen = options.parse_args()
    old = json.loads(chosen.output.read_text()) if chosen.output.exists() else None
    names, end = chosen.only or list(PLANS), time.monotonic() + chosen.seconds
    sweeps = {name: Sweep(chosen.program, end) for name in names}
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        found = dict(zip(names, pool.map(lambda name: sweeps[name].topic(name), names)))
    reports = [report for sweep in sweeps.values() for report in sweep.reports]
    bad = [line for sweep in sweeps.values() for line in sweep.bad]
    print("\n".join(bad) if bad else "every size was timed")
    if not reports:
        return 1
    document = {"device": head_of(reports), "topics": []}
    same = old and all(old["device"][key] == document["device"][key] for key in ("name", "driver"))
    before = {topic["topic"]: topic for topic in old["topics"]} if same else {}
    document["topics"] = [found.get(name) or before[name] for name in PLANS if name in found or name in before]
    chosen.output.write_text(text_of(document))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
