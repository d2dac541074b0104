"""Finds the program `lanescope`, starts it, and turns its errors into exceptions."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Collection, Sequence

__all__ = ["BadInput", "Completed", "EngineMissing", "LanescopeError", "ProgramMissing", "TimeLimit", "call", "json_of", "program"]

StrPath = str | os.PathLike[str]

GRACE_S = 60.0  # beside the limit of the run itself: compiling takes at most 30 s
LOCATED = re.compile(r"(?:(?P<file>.+?):)?(?:(?P<line>\d+):)?(?:(?P<column>\d+):)? ?(?P<severity>error|warning|note): (?P<message>.*)")


class LanescopeError(Exception):
    """What the program says is wrong. `line` and `column` count from 1; 0: no place is known.

    >>> try: ls.run("scan.cu", m=3)
    ... except ls.LanescopeError as error: print(error.file, error.line, error.hint)
    """

    def __init__(self, message: str, *, file: str = "", line: int = 0, column: int = 0, hint: str = "", more: Sequence[str] = ()) -> None:
        self.message, self.file, self.line, self.column, self.hint = message, file, line, column, hint
        self.more = tuple(more)
        """Further messages of the same call, such as the other errors of the compiler."""
        super().__init__(str(self))

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        text = (f"{place}: " if place else "") + self.message + (f" ({self.hint})" if self.hint else "")
        return "\n".join((text, *self.more))


class BadInput(LanescopeError):
    """A file, an option or a value is wrong (exit status 2 of the program)."""


class EngineMissing(LanescopeError):
    """What the call needs is not on this machine, such as a GPU (exit status 3)."""


class ProgramMissing(LanescopeError):
    """The program `lanescope` was not found, or it does not start."""


class TimeLimit(LanescopeError):
    """The program did not end in time and was stopped. A run that reaches its own `timeout` is a problem of its report instead."""


@dataclass(frozen=True)
class Completed:
    """How a call of the program ended. `status`: 0 fine; 1 an expectation failed or a problem was found."""

    status: int
    stdout: bytes
    stderr: str


def program() -> Path:
    """Returns the program that this package calls: `$LANESCOPE_PROGRAM`, that of the package, of the checkout, or on `PATH`.

    Errors: ProgramMissing.

    >>> ls.program().name
    'lanescope'
    """
    named = os.environ.get("LANESCOPE_PROGRAM")
    if named:
        found = shutil.which(named)
        if found is None:
            raise ProgramMissing("$LANESCOPE_PROGRAM names no program", file=named, hint="unset it, or let it name the program lanescope")
        return Path(found).absolute()
    here = Path(__file__).resolve().parent
    for place in (here / "bin" / "lanescope", here.parents[2] / "build" / "release" / "lanescope"):
        if place.is_file() and os.access(place, os.X_OK):
            return place
    found = shutil.which("lanescope")
    # The package's own command, a script of Python, has the same name.
    if found is None or Path(found).read_bytes()[:4] != b"\x7fELF":
        raise ProgramMissing("the program lanescope was not found", hint="install it, or let $LANESCOPE_PROGRAM name it")
    return Path(found).absolute()


def call(arguments: Sequence[StrPath], *, cwd: StrPath | None = None, timeout_s: float | None = None, fine: Collection[int] = (0, 1)) -> Completed:
    """Runs the program with these arguments, without a shell, and waits at most `timeout_s` seconds (None: no limit).

    Errors: those of this module, for an exit status that is not one of `fine`. An interrupt stops the program and all that it started.

    >>> call(["run", "--json", "--", "scan.cu"]).status
    0
    """
    environment = os.environ | {"LANESCOPE_MESSAGES": "json"}
    try:
        child = subprocess.Popen([program(), *arguments], cwd=cwd, env=environment, start_new_session=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    except (OSError, ValueError) as error:
        if cwd is not None and not Path(cwd).is_dir():
            raise BadInput("no such folder", file=os.fspath(cwd)) from error
        if isinstance(error, ValueError):
            raise BadInput(f"an argument cannot be passed to a program: {error}") from error
        raise ProgramMissing(f"the program does not start: {error.strerror}", file=str(program())) from error
    try:
        out, err = child.communicate(timeout=timeout_s)
    except BaseException as stopped:
        kill(child)
        if isinstance(stopped, subprocess.TimeoutExpired):
            raise TimeLimit(f"the program was stopped after {timeout_s:g} s", hint="give a larger timeout, or smaller data") from None
        raise
    text = err.decode("utf-8", "replace")
    if child.returncode in fine:
        return Completed(child.returncode, out, text)
    if child.returncode < 0:
        raise LanescopeError(f"the program ended with signal {-child.returncode}", more=text.splitlines())
    raise error_of(text, EngineMissing if child.returncode == 3 else BadInput)


def kill(child: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.communicate()


def error_of(text: str, kind: type[LanescopeError] = BadInput) -> LanescopeError:
    """The exception for what the program wrote to standard error: the first error, with the others in `more`."""
    found: list[LanescopeError] = []
    rest: list[str] = []
    for line in text.splitlines():
        message = message_of(line)
        if message and message.pop("severity") == "error":
            found.append(kind(**message))
        elif line and line != "Run with --help for more information.":
            rest.append(line)
    if not found:
        return kind(rest[0] if rest else "the program gave no reason", more=rest[1:])
    found[0].more = (*map(str, found[1:]), *(rest if len(found) == 1 else ()))
    return found[0]


def message_of(line: str) -> dict[str, Any] | None:
    if line.startswith("{"):
        try:
            read = json.loads(line)
        except ValueError:
            return None
        return {"severity": "error", "message": ""} | {key: read[key] for key in ("severity", "file", "line", "column", "message", "hint") if key in read}
    matched = LOCATED.match(line)
    if not matched:
        return None
    return {"severity": matched["severity"], "file": matched["file"] or "", "line": int(matched["line"] or 0),
            "column": int(matched["column"] or 0), "message": matched["message"]}


def json_of(completed: Completed) -> Any:
    """The JSON that a command printed. Errors: LanescopeError if it printed something else."""
    try:
        return json.loads(completed.stdout)
    except ValueError:
        raise error_of(completed.stderr, LanescopeError) from None
