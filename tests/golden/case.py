"""A golden case: a text file with inputs and expected outputs. tests/README.md describes the format."""

import json
import re
import shlex

SECTION = re.compile(r"^=== (file|bytes|link|env|needs|unstable|run|out|terminal|pick|exit|stdout|stderr)(?: (.*))?$")


class BadCase(Exception):
    pass


class Command:
    def __init__(self, line):
        self.line = line
        self.picks = []
        self.out = ""  # the file to which standard output goes
        self.terminal = False  # standard error is a terminal
        self.expected = {"exit": "0", "stdout": "", "stderr": ""}

    def argv(self, program):
        words = shlex.split(self.line)
        if not words or words[0] != "lanescope":
            raise BadCase(f"a command must start with 'lanescope': {self.line}")
        argv = [str(program), *words[1:]]
        return ["sh", "-c", 'exec "$@" >"$0"', self.out, *argv] if self.out else argv


class Case:
    def __init__(self, path):
        self.path = path
        self.comment = ""
        self.files = []     # (kind, name, text)
        self.env = {}
        self.needs = set()
        self.unstable = []  # patterns of text that differs between machines
        self.commands = []
        for kind, argument, text in self._sections():
            self._add(kind, argument, text)
        if not self.commands:
            raise BadCase("the case has no command; add a line === run lanescope …")

    def _sections(self):
        """Splits the file into sections; the text before the first section is the comment."""
        header, sections = [], []
        for line in self.path.read_text(encoding="utf-8").splitlines(keepends=True):
            if match := SECTION.match(line.rstrip("\n")):
                sections.append([match[1], match[2] or "", ""])
            elif sections:
                sections[-1][2] += line
            else:
                header.append(line)
        self.comment = "".join(header)
        return sections

    def _add(self, kind, argument, text):
        if kind in ("file", "bytes", "link"):
            self.files.append((kind, argument, text))
        elif kind == "env":
            self.env |= dict(line.split("=", 1) for line in text.splitlines())
        elif kind == "needs":
            self.needs |= set(argument.split())
        elif kind == "unstable":
            self.unstable += [re.compile(pattern) for pattern in text.splitlines()]
        elif kind == "run":
            self.commands.append(Command(argument))
        elif not self.commands:
            raise BadCase(f"=== {kind} must follow a === run")
        elif kind == "out":
            self.commands[-1].out = argument
        elif kind == "terminal":
            self.commands[-1].terminal = True
        elif kind == "pick":
            self.commands[-1].picks = text.splitlines()
        elif kind == "exit":
            self.commands[-1].expected["exit"] = argument
        else:
            self.commands[-1].expected[kind] = text

    def environment(self, program):
        """Returns the case's variables; BUILD in a value stands for the folder of the program."""
        return {name: value.replace("BUILD", str(program.parent)) for name, value in self.env.items()}

    def stable(self, text):
        for pattern in self.unstable:
            text = pattern.sub("*", text)
        return text

    def write_files(self, folder):
        for kind, name, text in self.files:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if kind == "link":
                path.symlink_to(text.strip())
            else:
                path.write_bytes(bytes.fromhex(text) if kind == "bytes" else text.encode())

    def rewritten(self, outcomes):
        """Returns the case's text with these outcomes as the expected ones."""
        parts = [self.comment]
        parts += [f"=== {kind} {name}\n{text}" for kind, name, text in self.files]
        if self.env:
            parts.append("=== env\n" + "".join(f"{name}={value}\n" for name, value in self.env.items()))
        parts += [f"=== needs {' '.join(sorted(self.needs))}\n"] if self.needs else []
        if self.unstable:
            parts.append("=== unstable\n" + "".join(f"{pattern.pattern}\n" for pattern in self.unstable))
        for command, outcome in zip(self.commands, outcomes):
            parts.append(f"=== run {command.line}\n")
            if command.out:
                parts.append(f"=== out {command.out}\n")
            if command.terminal:
                parts.append("=== terminal\n")
            if command.picks:
                parts.append("=== pick\n" + "".join(f"{pick}\n" for pick in command.picks))
            parts.append(f"=== exit {outcome['exit']}\n")
            for stream in ("stdout", "stderr"):
                if outcome[stream]:
                    parts.append(f"=== {stream}\n{with_newline(outcome[stream])}")
        return "".join(parts)


def with_newline(text):
    return text if not text or text.endswith("\n") else text + "\n"


def pick(text, paths):
    """Returns a line "path: value" for each path into a JSON document: a.b, a[0].b or a[*].b (every element)."""
    document = json.loads(text)
    values = (_at(document, re.findall(r"[^.\[\]]+", path)) for path in paths)
    return "".join(f"{path}: {json.dumps(value)}\n" for path, value in zip(paths, values))


def _at(value, keys):
    for number, key in enumerate(keys):
        if isinstance(value, list):
            if key == "*":
                return [_at(element, keys[number + 1:]) for element in value]
            value = value[int(key)] if int(key) < len(value) else None
        elif isinstance(value, dict):
            value = value.get(key)
        else:
            return None
    return value
