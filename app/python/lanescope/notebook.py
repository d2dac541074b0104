"""The magics of notebooks: `%load_ext lanescope`, then `%%lanescope` cells with CUDA C++.

    %%lanescope n=64 block=32 --step 12 --view flow
    __global__ void scan(…) …

    %%lanescope --exercise reduction/fix_the_race

    %lanescope run scan/blelloch n=16
"""

from __future__ import annotations

import argparse
import shlex
from typing import Any, NoReturn

from .commands import Verdict, check
from .program import BadInput, LanescopeError
from .run import Run, run

__all__ = ["load_ipython_extension"]

RUN_OPTIONS = ("engine", "gpu", "schedule", "code", "std", "arch", "kernel", "grid", "block", "record_blocks")
NUMBERS = ("shared", "max_steps", "resident")
PAIRS = ("define", "count", "fill")


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadInput(message, hint="NAME=VALUE sets a parameter; options: " + " ".join(sorted(self._option_string_actions)))


def parser(of_cell: bool) -> Parser:
    made = Parser(prog="%%lanescope" if of_cell else "%lanescope", add_help=False, allow_abbrev=False)
    if not of_cell:
        made.add_argument("command", choices=("run", "check"))
        made.add_argument("file")
    made.add_argument("parameters", nargs="*", metavar="NAME=VALUE")
    made.add_argument("--exercise")
    made.add_argument("--as", dest="variable", metavar="VARIABLE")
    made.add_argument("--step", type=int)
    made.add_argument("--view", choices=("memory", "flow"))
    made.add_argument("--steps", metavar="A..B")
    made.add_argument("--height", type=int, default=680)
    made.add_argument("--timeout", type=float)
    made.add_argument("--include", action="append", default=[])
    for name in RUN_OPTIONS:
        made.add_argument("--" + name.replace("_", "-"))
    for name in NUMBERS:
        made.add_argument("--" + name.replace("_", "-"), type=int)
    for name in PAIRS:
        made.add_argument("--" + name, action="append", default=[], metavar="NAME=VALUE")
    return made


def pairs(words: list[str]) -> dict[str, str]:
    for word in words:
        if "=" not in word.lstrip("="):
            raise BadInput(f"{word!r} is not NAME=VALUE", hint="parameters are written n=64, options --step 12")
    return {name: value for name, _, value in (word.partition("=") for word in words)}


class Magics:
    def __init__(self, shell: Any) -> None:
        self.shell = shell

    def cell(self, line: str, text: str) -> Run | Verdict:
        """%%lanescope NAME=VALUE… [--step N] [--view memory|flow] [--as VARIABLE] [--exercise TOPIC/NAME]

        Runs the CUDA C++ of the cell and shows the page that steps through it; with --exercise judges it. The run, or the verdict, is the
        result of the cell: `_`, or the VARIABLE. `lanescope.run` explains the other options: --block, --kernel, --fill a=iota, …
        """
        # The line of the magic is the first one of the cell, so that lines are counted as the editor does.
        source = f"// %%lanescope {line}".rstrip(" \\") + "\n" + text
        return self.told(line, source)

    def line(self, line: str) -> Run | Verdict:
        """%lanescope run FILE NAME=VALUE… or %lanescope check FILE --exercise TOPIC/NAME; FILE may be a lesson, such as scan/blelloch."""
        return self.told(line, None)

    def told(self, line: str, source: str | None) -> Run | Verdict:
        try:
            return self.result(line, source)
        except LanescopeError as error:
            lines = [f"{type(error).__name__}: {error}"]
            if source is not None and error.file == "cell" and 0 < error.line <= source.count("\n"):
                lines += ["    " + source.splitlines()[error.line - 1].expandtabs(1)]
                lines += ["    " + " " * (error.column - 1) + "^"] if error.column else []
            error._render_traceback_ = lambda: lines  # type: ignore[attr-defined]  # what IPython shows instead of Python's frames
            raise

    def result(self, line: str, source: str | None) -> Run | Verdict:
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise BadInput(f"{line!r}: {error}".lower()) from None
        given = parser(source is not None).parse_args(words)
        file = None if source is not None else given.file
        made: Run | Verdict
        if given.exercise is not None or (source is None and given.command == "check"):
            made = check(file, given.exercise, source=source, name="cell.cu")
        else:
            options: dict[str, Any] = {name: getattr(given, name) for name in (*RUN_OPTIONS, *NUMBERS) if getattr(given, name) is not None}
            options |= {name: pairs(getattr(given, name)) for name in PAIRS}
            parameters = pairs(given.parameters)
            options |= {name: parameters.pop(name) for name in ("block", "grid") if name in parameters}
            made = run(file, source=source, name="cell", include=given.include, timeout=given.timeout, set=parameters, **options)
            self.display(made, given)
        if given.variable is not None:
            if not given.variable.isidentifier():
                raise BadInput(f"--as {given.variable}: not a name of a variable")
            self.shell.user_ns[given.variable] = made
        return made

    def display(self, made: Run, given: argparse.Namespace) -> None:
        from IPython.display import display

        if "program" in made.report:
            print(made.console, end="")
        else:
            display(made.show(given.step, given.view, steps=given.steps, height=given.height))  # type: ignore[no-untyped-call]


def load_ipython_extension(shell: Any) -> None:
    """Called by `%load_ext lanescope`."""
    magics = Magics(shell)
    shell.register_magic_function(magics.line, "line", "lanescope")
    shell.register_magic_function(magics.cell, "cell", "lanescope")
