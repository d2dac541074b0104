"""Reads the output of compute-sanitizer's tools as kinds and lines."""

import json
import re

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
PLACE = re.compile(r"[\w./-]+\.cu:(\d+)")
REPORT = re.compile(r"^=========\s(?P<space> *)(?P<text>.*)$", re.M)
NOT_REPORTS = ("COMPUTE-SANITIZER", "ERROR SUMMARY", "RACECHECK SUMMARY", "Saved", "Host Frame", "Target application")


def digest(text, status, first_line):
    """Returns [end, [kind, lines, count]…] of one process. `end` is its exit status or "timeout"; lines are relative to
    first_line."""
    reports = {}
    kind, lines = None, []

    def close():
        if kind is not None:
            key = (kind, tuple(sorted(set(lines))))
            reports[key] = reports.get(key, 0) + 1

    for match in REPORT.finditer(text):
        line = match["text"]
        if not line.strip() or line.startswith(NOT_REPORTS):
            continue
        if not match["space"]:
            close()
            kind, lines = summary(line), []
        lines += [int(number) - first_line for number in PLACE.findall(line)]
    close()
    return [status, *([kind, list(at), count] for (kind, at), count in reports.items())]


def summary(line):
    """Returns a report's first line without the parts that differ between threads."""
    line = re.sub(r"0x[0-9a-f]+", "0x…", line)
    line = re.sub(r" (at|in) [^ ]*\.cu:\d+.*| in block .*", "", line)
    return re.sub(r"\(\d+,\d+,\d+\)", "(…)", line).strip()


# Reports that a process ended as a consequence of an earlier report.
CONSEQUENCE = re.compile(r"Program hit CUDA_ERROR_(LAUNCH_FAILED|ILLEGAL_INSTRUCTION)")


def verdict(case, digested):
    """Returns found, no line, elsewhere, hangs or missed for a faulty kernel; false, hangs or clean for a correct
    one."""
    end, *reports = digested
    reports = [report for report in reports if not CONSEQUENCE.match(report[0])]
    if not reports:
        return "hangs" if end == "timeout" else "missed" if case.faulty else "clean"
    if not case.faulty:
        return "false"
    expected = {line - case.first_line for finding in case.expected for line in finding.lines}
    named = {line for report in reports for line in report[1]}
    return "found" if named & expected or not expected else "no line" if not named else "elsewhere"


def save(path, origin, entries):
    """Writes one line per kernel and tool, so that the diff of a new recording shows what changed."""
    lines = [f' "origin": {json.dumps(origin)}']
    for name, entry in sorted(entries.items()):
        texts = {key: json.dumps(value, ensure_ascii=False) for key, value in entry.items()}
        tools = ",\n".join(f"  {json.dumps(key)}: {text}" for key, text in texts.items())
        lines.append(f" {json.dumps(name)}: {{\n{tools}}}")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def load(path):
    """Returns (origin, entries)."""
    entries = json.loads(path.read_text(encoding="utf-8"))
    return entries.pop("origin"), entries
