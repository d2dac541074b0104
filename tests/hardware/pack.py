#!/usr/bin/env python3
"""Packs the results of record.sh into one JSON file.

    tests/hardware/pack.py OUT.json RESULTS…        RESULTS: folders of record.sh
"""

import csv
import json
import re
import sys
from pathlib import Path


def rows_of(path):
    """Returns the rows of the profiler's CSV without the row of units; the profiler's messages stand before it."""
    lines = path.read_text(encoding="utf-8").splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith('"ID"'))
    return [row for row in csv.DictReader(lines[first:]) if row["ID"]]


def launches_of(path):
    """Returns (device line, [(file, hash, kernel)]) and skips the output of the kernels."""
    device, launches = None, []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        fields = line.split("\t")
        if len(fields) == 3 and re.fullmatch("[0-9a-f]{16}", fields[1]):
            launches.append(tuple(fields))
        elif len(fields) == 3 and device is None:
            device = fields
    return device, launches


def number(text):
    value = float(text.replace(",", ""))
    return int(value) if value == int(value) else value


def plain(name):
    return re.split(r"[<(]", name.replace("void ", ""))[0].strip()


def add(folder, wanted, document):
    device, launches = launches_of(folder / "launches.txt")
    rows = rows_of(folder / "counters.csv")
    if len(rows) != len(launches):
        sys.exit(f"{folder}: {len(launches)} launches, but {len(rows)} were profiled")
    profiler = (folder / "profiler.txt").read_text(encoding="utf-8").splitlines()[2]
    gpu, driver = (folder / "gpu.txt").read_text(encoding="utf-8").strip().split(", ")
    document.update({"device": gpu, "driver": driver, "cuda": device[1], "date": device[2],
                     "profiler": "Nsight Compute " + profiler.removeprefix("Version ").split(" (")[0]})
    for (name, work, kernel), row in zip(launches, rows):
        if plain(row["Kernel Name"]) != plain(kernel):
            sys.exit(f"{folder}: {name} launches {kernel}, but {row['Kernel Name']} was profiled")
        counters = {key.removesuffix(".sum"): number(row[key]) for key in wanted if row.get(key)}
        file = document["files"].setdefault(name, {"work": work, "launches": []})
        file["launches"].append({"kernel": kernel, **counters})


def text_of(document):
    """Returns the JSON text: the names of the counters once, then one line for each launch."""
    names = sorted({key for file in document["files"].values() for launch in file["launches"] for key in launch} - {"kernel"})
    head = {key: document[key] for key in ("device", "driver", "cuda", "date", "profiler")}
    lines = [json.dumps({**head, "counters": names}, indent=1)[:-2] + ',\n "files": {']
    files = []
    for name, file in sorted(document["files"].items()):
        launches = ",\n   ".join(json.dumps([launch["kernel"], *[launch.get(key) for key in names]], separators=(",", ":"))
                                 for launch in file["launches"])
        files.append(f'  {json.dumps(name)}: {{"work": "{file["work"]}", "launches": [\n   {launches}]}}')
    return lines[0] + "\n" + ",\n".join(files) + "\n }\n}\n"


def main():
    wanted = (Path(__file__).parent / "metrics.txt").read_text(encoding="utf-8").split()
    document = {"files": {}}
    for folder in sys.argv[2:]:
        add(Path(folder), wanted, document)
    text = text_of(document)
    json.loads(text)
    Path(sys.argv[1]).write_text(text, encoding="utf-8")


main()
