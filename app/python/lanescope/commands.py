"""The other commands: judging exercises, times on a GPU, the lessons, this machine."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Iterable, Mapping, Sequence

from .program import GRACE_S, BadInput, StrPath, call, error_of, json_of
from .run import found, option, options_of

__all__ = ["Goal", "Lesson", "Verdict", "check", "doctor", "exercises", "lessons", "time"]

JUDGE_TIMEOUT_S = 60.0  # the program's own default


@dataclass(frozen=True)
class Goal:
    """One goal of an exercise: `got` and `wanted` in words, `points` of `max_points`, and of a missed goal the reason and its line (0: none)."""

    goal: str
    ok: bool
    got: str
    wanted: str
    points: float
    max_points: float
    reason: str
    line: int = 0
    step: int = 0
    block: int = 0
    schedule: str = ""


@dataclass(frozen=True, repr=False)
class Verdict:
    """How an exercise was judged. `error` says why it was not: "file:line:column: error: …"."""

    exercise: str
    file: str
    points: float
    max_points: float
    goals: tuple[Goal, ...]
    error: str = ""
    source: str = ""

    @property
    def ok(self) -> bool:
        """Whether all points were reached."""
        return not self.error and all(goal.ok for goal in self.goals)

    def __str__(self) -> str:
        lines = [f"{self.exercise}: {self.points:g} of {self.max_points:g} points"]
        lines += [self.error] if self.error else [f"{'✓' if goal.ok else '✗'} {goal.goal}: {goal.reason}" for goal in self.goals]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        if self.error:
            return f"<b>{escape(self.exercise)}: not judged</b><pre>{escape(self.error)}</pre>"
        rows = "".join(f"<tr><td>{'✓' if goal.ok else '✗'}</td><td style='text-align: left'>{escape(goal.goal.replace('_', ' '))}</td>"
                       f"<td style='white-space: nowrap'>{goal.points:g} of {goal.max_points:g}</td><td style='text-align: left'>{escape(goal.reason)}</td></tr>"
                       for goal in self.goals)
        return f"<b>{escape(self.exercise)}: {self.points:g} of {self.max_points:g} points</b><table>{rows}</table>"


def check(file: StrPath | None = None, exercise: str | None = None, *, source: str | None = None, name: str = "source.cu",
          exercises: Iterable[StrPath] = (), arch: str | None = None, timeout: float = JUDGE_TIMEOUT_S) -> Verdict:
    """Judges a solution: the path of a file, or a `source` of CUDA C++, called `name` in messages.

    `exercise` is "TOPIC/NAME" (None: the file's front matter names it); `exercises` are folders with your own; `timeout` is in seconds. A
    solution that does not compile is a verdict with an `error`. Errors: BadInput for an unknown exercise or a missing file.

    >>> ls.check("fix_the_race.cu", "reduction/fix_the_race").points
    7
    """
    if (file is None) == (source is None):
        raise TypeError("check() takes a file or a source")
    with tempfile.TemporaryDirectory(prefix="lanescope-") as folder:
        if source is not None:
            file = Path(folder, Path(name).name or "source.cu")
            file.write_text(source, encoding="utf-8")
        assert file is not None
        given = [word for option_name, value in (("exercise", exercise), ("arch", arch), ("timeout", timeout), ("jobs", 1),
                                                 ("exercises", [os.fspath(one) for one in exercises])) for word in option(option_name, value)]
        completed = call(["check", "--json", *given, "--", file], timeout_s=2 * timeout + GRACE_S, fine=(0, 1, 2))
        judged = json_of(completed) if completed.stdout.strip() else []
        if not judged or (completed.status == 2 and not judged[0].get("error")):
            raise error_of(completed.stderr, BadInput)
        if source is None:
            source = Path(file).read_text(encoding="utf-8", errors="replace")
            name = str(file)
        return verdict_of(judged[0], str(file), name, source)


def verdict_of(read: Mapping[str, Any], file: str, shown_as: str, source: str) -> Verdict:
    goals = tuple(Goal(**{key: one[key] for key in Goal.__dataclass_fields__ if key in one}) for one in read["goals"])
    return Verdict(read.get("exercise") or "", shown_as, read["points"], read["max_points"], goals, read.get("error", "").replace(file, shown_as), source)


def exercises(*, own: Iterable[StrPath] = ()) -> list[dict[str, Any]]:
    """The exercises, those of the folders `own` too: `exercise`, `title`, `level`, `text`, `starter`, `hints`, `max_points`, `goals`, `lesson`.

    >>> "reduction/fix_the_race" in [one["exercise"] for one in ls.exercises()]
    True
    """
    return list(json_of(call(["check", "--list", "--json", *option("exercises", [os.fspath(one) for one in own])], timeout_s=GRACE_S)))


@dataclass(frozen=True)
class Lesson:
    """A lesson of the course. `name` is what `run` takes, such as "scan/blelloch"."""

    name: str
    title: str
    file: Path


def lessons() -> list[Lesson]:
    """The course, in its order.

    >>> ls.lessons()[0].name
    'first_steps/hello'
    """
    return [Lesson(f"{topic['topic']}/{lesson['name']}", lesson["title"], Path(lesson["file"]))
            for topic in json_of(call(["list", "--json"], timeout_s=GRACE_S)) for lesson in topic["lessons"]]


def time(*files: StrPath, sweep: Mapping[str, str] | None = None, timeout: float | None = None, include: Sequence[StrPath] = (),
         **parameters: object) -> list[dict[str, Any]]:
    """Times files, or lessons, on the GPU of this machine: an entry for each file and size, with `median_ms` and the other keys of
    app/REPORT.md. `sweep` has ranges, as in {"n": "2^10..2^28"}; `timeout` is in seconds (None: no limit).

    Errors: EngineMissing without a GPU; BadInput.

    >>> ls.time("reduction/fastest", n=2**24)[0]["gb_per_s"]    # on an H200
    4108.2
    """
    options = options_of(include=include, parameters=parameters) + [f"--sweep={name}={values}" for name, values in (sweep or {}).items()]
    return list(json_of(call(["time", "--json", *options, "--", *(found(file) for file in files)], timeout_s=timeout))["timings"])


def doctor() -> dict[str, Any]:
    """What works on this machine: `result` ("PASS" or "FAIL"), `gpu`, `nvrtc`, `checks` and the other keys of app/REPORT.md.

    >>> ls.doctor()["nvrtc"]["found"]
    True
    """
    return dict(json_of(call(["doctor", "--json"], timeout_s=2 * GRACE_S, fine=(0, 1, 3))))
