"""Writes README.md's table: the verdicts of compute-sanitizer on a GPU beside those of Lanescope."""

from case import FOLDER
from sanitizer import TOOLS, load, verdict

RECORDED = FOLDER / "h200.json"
README = FOLDER / "README.md"
BEGIN, END = "<!-- table: tests/checks/run.py --rebase -->\n", "<!-- end of the table -->\n"


class Stale(Exception):
    pass


def sanitizer_verdicts(case, entries):
    """Returns the verdict of each tool."""
    entry = entries[case.name]
    if entry["code"] != case.code_hash:
        raise Stale(f"{case.name} has changed since it was recorded; record it again with record.py")
    return [verdict(case, entry[tool]) for tool in TOOLS]


def best(verdicts):
    order = ("found", "no line", "elsewhere", "false", "hangs", "missed", "clean")
    return min(verdicts, key=order.index)


def cells(words):
    return "| " + " | ".join(words) + " |\n"


def summary(rows, wrong):
    """Returns a table of counts over rows (case, [verdict of each tool, best of the tools, ours])."""
    text = cells([f"{len(rows)} {'faulty' if wrong else 'correct'} kernels", *TOOLS, "any of the four", "Lanescope"])
    text += cells(["---"] * 7)
    kinds = ({"found": "found at its line", "no line": "found, without a line", "elsewhere": "reported at other lines",
              "hangs": "hangs, nothing said", "missed": "nothing found"} if wrong
             else {"clean": "clean", "false": "false alarm", "hangs": "hangs"})
    for kind, words in kinds.items():
        counts = [sum(verdicts[column] == kind for _, verdicts in rows) for column in range(6)]
        if any(counts):
            text += cells([words, *map(str, counts)])
    return text + "\n"


def table(cases, ours):
    """Returns the table as Markdown. `ours` maps the names of the cases to Lanescope's verdicts."""
    origin, entries = load(RECORDED)
    cases = [case for case in cases if case.name in entries and (case.finds or not case.faulty)]
    rows = [(case, sanitizer_verdicts(case, entries)) for case in cases]
    rows = [(case, [*verdicts, best(verdicts), ours[case.name]]) for case, verdicts in rows]
    faulty = [row for row in rows if row[0].faulty]
    correct = [row for row in rows if not row[0].faulty]
    text = (f"compute-sanitizer {origin['sanitizer']} on an {origin['device']}, driver {origin['driver']}, debug code, "
            f"recorded on {origin['date']}.\n\n")
    text += summary(faulty, True) + summary(correct, False)
    missed = [case.path.stem for case, (*_, any_tool, _) in faulty if any_tool not in ("found", "no line")]
    text += cells(["", "kernels"]) + cells(["---"] * 2)
    text += cells(["no tool of the four finds it", " ".join(f"`{name}`" for name in missed)])
    reported = [f"{case.path.stem} ({tool})" for case, verdicts in correct
                for tool, each in zip((*TOOLS, "", "Lanescope"), verdicts) if each == "false" and tool]
    return text + cells(["false alarms", " ".join(f"`{name}`" for name in reported)])


def compare(cases, ours, rebase):
    """Checks README.md's table, or writes it with `rebase`. Returns (verdict, text)."""
    before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    wanted = before + BEGIN + table(cases, ours) + END + after
    if wanted == README.read_text(encoding="utf-8"):
        return "passed", ""
    if not rebase:
        return "failed", "README.md's table is out of date; run tests/run.sh --rebase checks"
    README.write_text(wanted, encoding="utf-8")
    return "rewritten", ""
