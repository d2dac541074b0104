"""A kernel of tests/checks with its expected findings. README.md describes the comments."""

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
KEYS = ("Finds", "Also", "Notes", "Arguments", "Only")
LABEL = re.compile(r"\(([a-z])\)")


class BadCase(Exception):
    pass


@dataclass(frozen=True)
class Finding:
    """A kind of problem and the lines of its sites."""
    kind: str
    lines: frozenset = frozenset()

    def __str__(self):
        return f"{self.kind} in {' and '.join(f'line {line}' for line in sorted(self.lines)) or 'no line'}"


@dataclass
class Case:
    path: Path
    first_line: int = 1                        # of the code, after the front matter and the comments
    code_hash: str = ""                        # of the text that affects compiler and launch
    finds: list = field(default_factory=list)  # sets of findings; one of each set must be found
    also: set = field(default_factory=set)     # may be found, too: the mistake at other lines, its consequences
    notes: set = field(default_factory=set)    # must be found as notes, not as problems
    arguments: list = field(default_factory=list)
    only: str = ""                             # the only code or schedule that shows the mistake

    @property
    def name(self):
        return f"{self.path.parent.name}/{self.path.stem}"

    @property
    def faulty(self):
        return self.path.parent.name == "faulty"

    @property
    def guessed(self):
        """Returns whether the file has no front matter, so that its launch is proposed."""
        return self.path.parent.name == "guessed"

    @property
    def expected(self):
        """Returns all findings that may be reported."""
        return set().union(*self.finds) | self.also

    @property
    def kinds(self):
        """Returns the kinds of the required findings, which the front matter must expect."""
        return {finding.kind for findings in self.finds for finding in findings}


def read_case(path):
    text = path.read_text(encoding="utf-8")
    front, code = text.split("---*/", 1) if "---*/" in text else ("", "\n" + text)
    comments = re.match(r"\n(// [A-Z].*\n)*", code)[0]
    case = Case(path, 1 + (front + comments).count("\n"), _hash(front, code))
    labels = _labels(front, code if front else text)
    for line in code.splitlines():
        key, colon, value = line.removeprefix("// ").partition(": ")
        if not line.startswith("// ") or not colon or key not in KEYS:
            continue
        if key == "Arguments":
            case.arguments = value.split()
        elif key == "Only":
            case.only = value.split()[0]
        elif key == "Finds":
            case.finds += [set(_findings(part, "|", labels, path)) for part in value.split(";")]
        else:
            getattr(case, key.lower()).update(_findings(value, ";", labels, path))
    if not case.guessed and case.faulty != bool(case.finds or case.notes):
        raise BadCase(f"{path.name}: a faulty kernel needs a comment 'Finds:' or 'Notes:', a correct one none")
    return case


def _hash(front, code):
    text = front.split("[[expect]]")[0] + re.sub(r"[ ]*//.*", "", code).strip()
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _labels(front, code):
    """Returns the lines of the labels (a), (b), … in comments after code."""
    labels = {}
    for number, line in enumerate(code.split("\n"), front.count("\n") + 1):
        before, comment, after = line.partition("//")
        if comment and before.strip():
            for label in re.match(r"[ ]*((?:\([a-z]\)[ ]*)*)", after)[1].split():
                labels[label.strip("()")] = number
    return labels


def _findings(text, separator, labels, path):
    for part in text.split(separator):
        kind = part.split()[0]
        names = LABEL.findall(part)
        unknown = [name for name in names if name not in labels]
        if unknown:
            raise BadCase(f"{path.name}: the label ({unknown[0]}) is missing; add it in a comment after code")
        yield Finding(kind, frozenset(labels[name] for name in names))


def all_cases(parts=(), folders=("faulty", "correct")):
    paths = [path for folder in folders for path in sorted((FOLDER / folder).glob("*.cu"))]
    cases = [read_case(path) for path in paths]
    return [case for case in cases if not parts or any(part in case.name for part in parts)]
