#!/usr/bin/env python3
"""Whole programs under compute-sanitizer on a GPU and under `lanescope record --check` on this computer's processor.

    tests/cudart/compare.py --lanescope build/release/lanescope tests/cudart/compared/h200.json
    tests/cudart/compare.py --table tests/cudart/compared/h200.json

The first records, the second prints the table of a recording. Recording needs nvcc, compute-sanitizer and a GPU. Every program of tests/cudart/compared is built twice, as each side wants it, and runs alone.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COMPARED = Path(__file__).resolve().parent / "compared"
TOOLS = {"memcheck": ["--leak-check", "full"], "racecheck": [], "initcheck": []}
LIMIT_S = 20


def bug_line(source):
    """The line that is marked as the mistake; 0 in a program without one."""
    lines = source.read_text(encoding="utf-8").splitlines()
    return next((number for number, line in enumerate(lines, 1) if "// (bug)" in line), 0)


def timed(words, **options):
    began = time.monotonic()
    try:
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=LIMIT_S, check=False, **options)
        code, text = done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired as late:
        code, text = None, str(late.stdout or "")
    return code, text, round(time.monotonic() - began, 3)


def build(source, folder, lanescope):
    plain, watched = folder / source.stem, folder / (source.stem + ".watched")
    for words in (["nvcc", "-g", "-lineinfo", "-o", plain, source],
                  [lanescope, "build", "--", "nvcc", "-g", "-o", watched, source]):
        code, text, _ = timed(words, cwd=folder)
        if code != 0:
            sys.exit(f"{' '.join(map(str, words))}: exit {code}\n{text}")
    return plain, watched


def under_tool(tool, program, source, line):
    code, text, seconds = timed(["compute-sanitizer", "--tool", tool, *TOOLS[tool], program])
    counts = [int(number) for number in re.findall(r"SUMMARY: (\d+) (?:errors?|hazards?)", text)]
    counts += [int(number) for number in re.findall(r"LEAK SUMMARY: \d+ bytes leaked in (\d+)", text)]
    named = line > 0 and re.search(rf"{re.escape(source.name)}:{line}\b", text) is not None
    found = "line" if named else "no line" if sum(counts) > 0 else "no"
    said = next((part.strip("= ") for part in text.splitlines()
                 if re.search(r"Invalid|Error:|Warning:|Uninitialized|Leaked|hazard", part) and "SUMMARY" not in part), "")
    return {"s": seconds, "found": found if code is not None else "time limit", "said": said}


def under_lanescope(lanescope, program, line):
    _, _, seconds = timed([lanescope, "record", "--json", "--", program])
    code, text, checked = timed([lanescope, "record", "--json", "--check", "--leaks", "--", program])
    if code is None:
        return {"plain_s": seconds, "s": checked, "found": "time limit", "said": ""}
    findings = [each for each in json.loads(text)["findings"] if each["severity"] == "error"]
    lines = {number for each in findings
             for number in (each.get("line"), (each.get("place") or {}).get("line"), (each.get("other") or {}).get("line"))}
    found = "no" if not findings else "line" if line in lines else "no line"
    return {"plain_s": seconds, "s": checked, "found": found, "said": ", ".join(sorted({each["kind"] for each in findings}))}


def device():
    _, text, _ = timed(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"])
    name, driver = (text.strip().splitlines() or ["?, ?"])[0].split(", ")
    _, text, _ = timed(["compute-sanitizer", "--version"])
    version = re.search(r"Version (\S+)", text)
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    return {"device": name, "driver": driver, "compute_sanitizer": version.group(1) if version else "?",
            "processor": f"{cpu.group(1) if cpu else '?'}, {os.cpu_count()} threads", "date": datetime.date.today().isoformat()}


WORDS = {"line": "at its line", "no line": "yes, without the line", "no": "–", "time limit": "time limit"}


def cell(found, is_bug):
    words = WORDS[found["found"]] if is_bug else "false alarm" if found["found"] != "no" else "clean"
    return f"{words}, {found['s']:.2f} s" if words != "–" else f"– {found['s']:.2f} s"


def table(recording):
    """The recording as Markdown."""
    lines = [f"{recording['device']}, driver {recording['driver']}, compute-sanitizer {recording['compute_sanitizer']}, {recording['date']}; "
             f"Lanescope on {recording['processor']}.", "",
             "| program | alone on the GPU | memcheck | racecheck | initcheck | Lanescope, no check | Lanescope with `--check` |",
             "| --- | --- | --- | --- | --- | --- | --- |"]
    for name, program in sorted(recording["programs"].items(), key=lambda each: (each[1]["bug_line"] > 0, each[0])):
        is_bug, ours = program["bug_line"] > 0, program["lanescope"]
        tools = " | ".join(cell(program["tools"][tool], is_bug) for tool in TOOLS)
        lines.append(f"| `{name}` | {program['plain_s']:.2f} s | {tools} | {ours['plain_s']:.2f} s | {cell(ours, is_bug)} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lanescope", type=Path)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    if options.table:
        print(table(json.loads(options.out.read_text(encoding="utf-8"))), end="")
        return
    if options.lanescope is None:
        sys.exit("name the program with --lanescope")
    if shutil.which("nvcc") is None or shutil.which("compute-sanitizer") is None:
        sys.exit("nvcc and compute-sanitizer must be in PATH")
    lanescope, sources = options.lanescope.resolve(), sorted(COMPARED.glob("*.cu"))
    result = device() | {"programs": {}}
    with tempfile.TemporaryDirectory(prefix="lanescope-compare-") as folder:
        with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            built = list(pool.map(lambda source: build(source, Path(folder), lanescope), sources))
        for source, (plain, watched) in zip(sources, built):
            line = bug_line(source)
            timed([plain])
            found = {"bug_line": line, "plain_s": timed([plain])[2],
                     "tools": {tool: under_tool(tool, plain, source, line) for tool in TOOLS},
                     "lanescope": under_lanescope(lanescope, watched, line)}
            result["programs"][source.stem] = found
            options.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
            print(source.stem, found, flush=True)


if __name__ == "__main__":
    main()
