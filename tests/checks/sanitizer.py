"""What the tools of compute-sanitizer print, as kinds and lines."""

import re

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
PLACE = re.compile(r"[\w./-]+\.cu:(\d+)")
REPORT = re.compile(r"^=========\s(?P<space> *)(?P<text>.*)$", re.M)
NOT_REPORTS = ("COMPUTE-SANITIZER", "ERROR SUMMARY", "RACECHECK SUMMARY", "Saved", "Host Frame", "Target application")


def digest(text, status):
    """{"reports": [{"text", "lines", "count"}], "end"}: of one process; `end` is its exit status or "timeout"."""
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
        lines += [int(number) for number in PLACE.findall(line)]
    close()
    return {"reports": [{"text": kind, "lines": list(at), "count": count} for (kind, at), count in reports.items()],
            "end": status}


def summary(line):
    """A report's first line without what differs from thread to thread."""
    line = re.sub(r"0x[0-9a-f]+", "0x…", line)
    line = re.sub(r" (at|in) [^ ]*\.cu:\d+.*| in block .*", "", line)
    return re.sub(r"\(\d+,\d+,\d+\)", "(…)", line).strip()
