"""A run of a kernel file: its report, and what can be drawn from it."""

from __future__ import annotations

import io
import operator
import os
import shutil
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Literal, Sequence, TypeVar
from urllib.parse import urlencode

from .program import GRACE_S, BadInput, Completed, LanescopeError, StrPath, call, json_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Access", "Buffers", "FlowOfElement", "Launch", "Page", "Picture", "Problem", "Run", "Step", "run"]

View = Literal["explore", "lecture", "threads", "flow", "layout", "schedule", "clock"]
R = TypeVar("R", bound="Run")
Extent = int | str | Sequence[int]
PAGE_BYTES = 2_500_000  # Jupyter's server passes on 1 MB/s within 3 s, and drops what is more
FRONT_MATTER = b"/*--- lanescope"
RUN_TIMEOUT_S = 60.0  # the program's own default


@dataclass(frozen=True)
class Access:
    """One side of a problem. `step` counts from 1 and is that of the block; 0: the place was not recorded."""

    line: int
    block: int = 0
    thread: int = 0
    access: str = ""
    step: int = 0

    @classmethod
    def _of(cls, read: Mapping[str, Any] | None) -> Access | None:
        return None if not read else cls(read.get("line", 0), read.get("block", 0), read.get("thread", 0), read.get("access", ""), read.get("step", 0))


@dataclass(frozen=True)
class Problem:
    """What is wrong, and where: app/REPORT.md lists the kinds. `severity` is "error" or "note"."""

    kind: str
    message: str
    file: str
    line: int
    hint: str = ""
    severity: str = "error"
    occurrences: int = 1
    first: Access | None = None
    second: Access | None = None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.kind}: {self.message}" + (f" ({self.hint})" if self.hint else "")


@dataclass(frozen=True)
class Launch:
    """One launch: `grid` in blocks, `block` in threads, both (x, y, z); steps and phases are those of its first recorded block."""

    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    steps: int = 0
    phases: int = 0
    metrics: Mapping[str, Any] = field(default_factory=dict)
    arrays: Sequence[Mapping[str, Any]] = ()


class Run:
    """The result of `run`. Everything beyond the report, such as pictures, is computed by the same command line when it is asked for."""

    def __init__(self, file: StrPath, options: Sequence[str], *, words: Sequence[str] = (), cwd: StrPath | None = None,
                 timeout: float | None = None, keep: Any = None, shown_as: str | None = None) -> None:
        self._file, self._options = os.fspath(file), list(options)
        self._cwd, self._timeout, self._keep, self._shown_as = cwd, timeout, keep, shown_as
        if timeout is not None:
            self._options.append(f"--timeout={timeout:g}")
        self._state = self._state_of_file()
        completed = self._call("run", "--json", words=words)
        self.report: dict[str, Any] = json_of(completed)
        """The JSON that the program printed; app/REPORT.md describes its keys."""
        self.status: int = completed.status
        """0, or 1 if an expectation failed or a problem was found."""

    @classmethod
    def _of(cls: type[R], file: StrPath, options: Sequence[str] = (), *, words: Sequence[str] = (), cwd: StrPath | None = None,
            timeout: float | None = None, keep: Any = None, shown_as: str | None = None) -> R:
        """Runs `lanescope run OPTIONS -- FILE WORDS`. `keep` lives as long as the run, for a temporary folder; messages call the file
        `shown_as`. The options must be those that `run`, `render` and `export` share."""
        return cls(file, options, words=words, cwd=cwd, timeout=timeout, keep=keep, shown_as=shown_as)

    @property
    def ok(self) -> bool:
        """Whether every expectation holds and no problem was found."""
        return self.status == 0

    @property
    def file(self) -> str:
        return self._shown_as or self._file

    @cached_property
    def text(self) -> str:
        """The source."""
        path = Path(self._cwd or ".", self._file)
        return path.read_text(encoding="utf-8", errors="replace")

    @property
    def parameters(self) -> dict[str, int]:
        return dict(self.report.get("parameters", {}))

    @property
    def metrics(self) -> dict[str, Any]:
        """Counts of the whole run, by the names of app/REPORT.md; `operations` and `data_operations` are counts by name themselves.

        >>> ls.run("scan/blelloch", n=16).metrics["barriers"]
        9
        """
        return dict(self.report.get("metrics", {}))

    @property
    def lines(self) -> list[dict[str, Any]]:
        """Counts of each source line that ran: `line`, `executions`, `lanes`, `steps` and the metrics."""
        return list(self.report.get("lines", []))

    @cached_property
    def launches(self) -> list[Launch]:
        return [Launch(one["kernel"], tuple(one["grid"]), tuple(one["block"]), one.get("steps", 0), one.get("phases", 0),
                       one.get("metrics", {}), one.get("arrays", ())) for one in self.report.get("launches", [])]

    @cached_property
    def problems(self) -> list[Problem]:
        """What was found, errors and notes. A whole program is searched for races, and its host code checked, by `run(…, check=True)`.

        >>> [problem.line for problem in ls.run("racy.cu").problems]
        [12]
        """
        report = self.report
        found = report["findings"] if "findings" in report else [*report.get("problems", []),
                                                                 *(one for launch in report.get("launches", []) for one in launch.get("problems", []))]
        return [self._problem(one) for one in found]

    def _problem(self, read: Mapping[str, Any]) -> Problem:
        first, second = Access._of(read.get("first")), Access._of(read.get("second"))
        place = read.get("place", {})
        if first is None and "thread" in read:
            first = Access(read["line"], read["block"], read["thread"])
        # The later access is where an editor puts its mark.
        lines = [read.get("line", 0), second.line if second else 0, first.line if first else 0, place.get("line", 0)]
        line = next((line for line in lines if line), 0)
        file = read.get("file") or (place.get("file") if line == place.get("line") else "") or self.report.get("lines_file") or self.file
        return Problem(read["kind"], read["message"], file, line, read.get("why", {}).get("remedy", ""), read.get("severity", "error"),
                       read.get("occurrences", 1), first, second)

    @property
    def expect(self) -> list[dict[str, Any]]:
        """What the file expects: `buffer`, `ok`, `mismatch`."""
        return list(self.report.get("expect", []))

    @property
    def console(self) -> str:
        """What the kernels printed, or the program."""
        return str(self.report.get("console", self.report.get("program", {}).get("stdout", "")))

    @cached_property
    def buffers(self) -> Buffers:
        """The buffers at the end of the run.

        >>> ls.run("scan/blelloch", n=4).buffers["out"]
        array([0, 3, 4, 11], dtype=int32)
        """
        return Buffers(self)

    def __repr__(self) -> str:
        errors = [problem for problem in self.problems if problem.severity == "error"]
        wrong = [one for one in self.expect if not one["ok"]]
        counts = [f"{count} {what}{'s' if count > 1 else ''}" for count, what in ((len(errors), "problem"), (len(wrong), "wrong buffer")) if count]
        lines = [f"Run of {self.file}: " + ("ok" if self.ok else ", ".join(counts) or "not ok")]
        lines += [f"  {problem}" for problem in self.problems]
        lines += [f"  {one['buffer']}: {one['mismatch']}" for one in wrong]
        return "\n".join(lines)

    # --- Steps, flow, figures ---

    @cached_property
    def steps(self) -> list[Step]:
        """The steps of the first recorded block, or of each block of `record_blocks`: a step is one line, run by one warp or more.

        >>> [step.line for step in ls.run("scan/blelloch", n=4).steps[:3]]
        [22, 24, 25]
        """
        read = json_of(self._call("run", "--json", "--steps"))["steps"]
        return [Step(self, one["step"], one["block"], one["line"], one["phase"],
                     tuple((warp["warp"], warp["mask"]) for warp in one["warps"])) for one in read]

    def step(self, number: int, block: int | None = None) -> Step:
        """The step with this number, from 1, of the block (None: of the first that is listed). Errors: IndexError."""
        listed = [step for step in self.steps if block is None or step.block == block]
        block = listed[0].block if listed and block is None else block
        for step in listed:
            if step.number == number and step.block == block:
                return step
        raise IndexError(f"there is no step {number} (block {block} has {sum(step.block == block for step in listed)})")

    def flow(self, buffer: str) -> list[FlowOfElement]:
        """What each element of the buffer was computed from. Errors: BadInput for a buffer that does not exist.

        >>> ls.run("scan/blelloch", n=16).flow("out")[3].text
        'in[0] + in[1] + in[2]'
        """
        return [FlowOfElement(one["text"], one.get("inputs", {}), one.get("depth", 0), one.get("operations", 0),
                              bool(one.get("outside")), bool(one.get("cut")))
                for one in json_of(self._call("run", "--json", f"--flow={buffer}"))["flow"]]

    @cached_property
    def layout(self) -> dict[str, Any]:
        """Tiles in shared memory, their banks, fragments, owners: the key `layouts` of app/REPORT.md."""
        return dict(json_of(self._call("run", "--json", "--layout"))["layouts"])

    @cached_property
    def clock(self) -> dict[str, Any]:
        """How long the kernels would take on an H200, as an estimate: `microseconds`, or `refused` with the reason."""
        return dict(json_of(self._call("run", "--json", "--clock")))

    @cached_property
    def resources(self) -> dict[str, Any]:
        """Registers, spills and shared memory of each kernel, and what limits the blocks on a multiprocessor of an H200."""
        return dict(json_of(self._call("run", "--json", "--resources")))

    def picture(self, step: int | None = None, *, view: View | None = None, size: tuple[int, int] | None = None,
                theme: Literal["dark", "light"] | None = None, **shown: object) -> Picture:
        """A picture of a step (None: the one that the lesson chose, else the first), `size` in pixels.

        `shown` are further options of `lanescope render`: `alone=True`, `array="s"`, `tab="access"`. Errors: BadInput.

        >>> ls.run("scan/blelloch").picture(12, view="flow").save("flow.png")
        """
        options = {"step": step, "view": view, "theme": theme, "size": None if size is None else f"{size[0]}x{size[1]}"} | shown
        given = [word for name, value in options.items() for word in option(name, value)]
        with tempfile.TemporaryDirectory(prefix="lanescope-") as folder:
            file = Path(folder, "picture.png")
            self._call("render", *given, f"--output={file}")
            return Picture(file.read_bytes())

    def show(self, step: int | None = None, view: Literal["memory", "flow"] | None = None, *, steps: str | None = None,
             blocks: Sequence[int] | None = None, clock: bool = False, height: int = 680) -> Page:
        """The interactive page, for a notebook: it begins at `step` and shows memory or the flow of values. It needs no network.

        `steps` ("12..40") and `blocks` say what the page holds, `height` is in pixels. Errors: BadInput; also for a page of over 2.5 MB,
        because Jupyter drops larger outputs.

        >>> ls.run("scan/blelloch", n=16).show(step=12, view="flow")
        """
        if view not in (None, "memory", "flow"):
            raise BadInput(f"the page has no view {view!r}", hint="memory or flow; picture() draws the others")
        with tempfile.TemporaryDirectory(prefix="lanescope-") as folder:
            file = Path(folder, "page.html")
            given = [word for name, value in (("steps", steps), ("blocks", extent(blocks)), ("clock", clock)) for word in option(name, value)]
            self._call("export", *given, f"--output={file}")
            html = file.read_text(encoding="utf-8")
        if len(html) > PAGE_BYTES:
            # Half of their share: scripts, styles and the first step's state do not become less with the steps.
            fitting = max(1, max(step.number for step in self.steps) * PAGE_BYTES // 2 // len(html))
            raise BadInput(f"the page takes {len(html) / 1e6:.1f} MB, too much for a notebook", file=self.file,
                           hint=f'ask for fewer steps: show(steps="1..{fitting}"), or a smaller run')
        start = {name: str(value) for name, value in (("step", step), ("view", view)) if value is not None}
        return Page(html.replace("<html ", f'<html data-at="{escape(urlencode(start))}" ', 1), height)

    # --- The same command line again ---

    def _state_of_file(self) -> tuple[int, int] | None:
        try:
            stat = Path(self._cwd or ".", self._file).stat()
        except OSError:
            return None
        return stat.st_mtime_ns, stat.st_size

    def _call(self, command: str, *more: str, words: Sequence[str] = ()) -> Completed:
        if self._state_of_file() != self._state:
            raise BadInput("the file has changed since this run", file=self.file, hint="run it again")
        limit = (self._timeout or RUN_TIMEOUT_S) * 2 + GRACE_S
        try:
            return call([command, *self._options, *more, "--", self._file, *words], cwd=self._cwd, timeout_s=limit)
        except LanescopeError as error:
            if self._shown_as:
                error.file = self._shown_as if error.file == self._file else error.file
                error.more = tuple(line.replace(self._file, self._shown_as) for line in error.more)
            raise


class Buffers(Mapping[str, "NDArray[Any]"]):
    """Buffers by name, as NumPy arrays in the shape that the file states (else of one dimension). The first access writes all of them once, by a second run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._names = list(run.report.get("buffers", {})) if isinstance(run.report.get("buffers"), dict) else []
        self._arrays: dict[str, NDArray[Any]] | None = None

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._names:
            raise KeyError(name)
        if self._arrays is None:
            self._arrays = self._read()
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        described = self._run.report["buffers"]
        return "Buffers(" + ", ".join(f"{name}: {described[name]['type']}[{described[name]['count']}]" for name in self._names) + ")"

    def _read(self) -> dict[str, NDArray[Any]]:
        import numpy as np

        with tempfile.TemporaryDirectory(prefix="lanescope-") as folder:
            files = {name: os.path.join(folder, f"{i}.npy") for i, name in enumerate(self._names)}
            self._run._call("run", "--json", *(f"--dump={name}={file}" for name, file in files.items()))
            return {name: np.load(file, allow_pickle=False) for name, file in files.items()}


@dataclass(frozen=True)
class Step:
    """One source line that warps of a block ran. `number` counts from 1; `warps` has the number of each warp and the mask of its lanes."""

    _run: Run = field(repr=False, compare=False)
    number: int
    block: int
    line: int
    phase: int
    warps: tuple[tuple[int, int], ...]

    @property
    def text(self) -> str:
        """The source line, without the space around it."""
        lines = self._run.text.splitlines()
        return lines[self.line - 1].strip() if 0 < self.line <= len(lines) else ""

    @property
    def lanes(self) -> int:
        """How many threads ran the line."""
        masks: dict[int, int] = {}
        for warp, mask in self.warps:
            masks[warp] = masks.get(warp, 0) | mask
        return sum(mask.bit_count() for mask in masks.values())

    def picture(self, view: View | None = None, *, size: tuple[int, int] | None = None, theme: Literal["dark", "light"] | None = None,
                **shown: object) -> Picture:
        """`Run.picture` of this step. Errors: BadInput for a step of another block than the first that was recorded.

        >>> ls.run("scan/blelloch").step(12).picture(view="flow", size=(1280, 720)).save("flow.png")
        """
        if self.block != self._run.steps[0].block:
            raise BadInput(f"the picture shows block {self._run.steps[0].block}", file=self._run.file,
                           hint=f"run(…, record_blocks=[{self.block}])")
        return self._run.picture(self.number, view=view, size=size, theme=theme, **shown)


@dataclass(frozen=True)
class FlowOfElement:
    """What one element was computed from: `inputs` has the indices in each buffer; `depth` is the longest chain of `operations`."""

    text: str
    inputs: Mapping[str, Sequence[int]]
    depth: int
    operations: int
    outside: bool = False
    cut: bool = False


@dataclass(frozen=True)
class Picture:
    """A picture as the bytes of a PNG file. A notebook displays it."""

    png: bytes = field(repr=False)

    def _repr_png_(self) -> bytes:
        return self.png

    @property
    def image(self) -> Any:
        """The picture as a PIL.Image. Errors: ImportError without Pillow."""
        from PIL import Image

        return Image.open(io.BytesIO(self.png))

    def save(self, file: StrPath) -> None:
        """Writes the PNG file."""
        Path(file).write_bytes(self.png)


@dataclass(frozen=True)
class Page:
    """The interactive page of a run, `height` pixels high. A notebook displays it; keys and buttons step, without a network."""

    html: str = field(repr=False)
    height: int = 680

    def _repr_html_(self) -> str:
        # Scripts of the page cannot reach the notebook: a sandbox without allow-same-origin has an origin of its own.
        return (f'<iframe title="Lanescope" sandbox="allow-scripts" srcdoc="{escape(self.html)}" '
                f'style="width: 100%; height: {int(self.height)}px; border: 0"></iframe>')

    def save(self, file: StrPath) -> None:
        """Writes the page as an HTML file for any browser."""
        Path(file).write_text(self.html, encoding="utf-8")


def option(name: str, value: object) -> list[str]:
    """The words of one option: none for None and False, one for True and a value, several for a list."""
    name = "--" + name.replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [name]
    if isinstance(value, (list, tuple)):
        return [f"{name}={whole(one)}" for one in value]
    return [f"{name}={whole(value)}"]


def options_of(*, engine: str | None = None, gpu: str | None = None, schedule: str | None = None, code: str | None = None, include: Iterable[StrPath] = (),
               define: Mapping[str, object] | Iterable[str] = (), std: str | None = None, arch: str | None = None, kernel: str | None = None,
               grid: Extent | None = None, block: Extent | None = None, shared: int | None = None, count: Mapping[str, object] | None = None,
               fill: Mapping[str, object] | None = None, max_steps: int | None = None, resident: int | None = None,
               record_blocks: Extent | None = None, check: bool = False, parameters: Mapping[str, object] | None = None) -> list[str]:
    """The options of the command line for these values. Each is one word, so that no value is taken for an option."""
    single = {"engine": engine, "gpu": gpu, "schedule": schedule, "code": code, "std": std, "arch": arch, "kernel": kernel, "shared": shared,
              "max-steps": max_steps, "resident": resident, "grid": extent(grid), "block": extent(block), "record-blocks": extent(record_blocks)}
    options = [f"--{name}={value}" for name, value in single.items() if value is not None] + (["--check"] if check else [])
    options += [f"--include={os.fspath(folder)}" for folder in include]
    defined = [f"{name}={value}" for name, value in define.items()] if isinstance(define, Mapping) else define
    options += [f"--define={one}" for one in defined]
    for option, values in (("set", parameters), ("count", count), ("fill", fill)):
        options += [f"--{option}={name}={whole(value)}" for name, value in (values or {}).items()]
    return options


def whole(value: object) -> object:
    """NumPy's integers print as such in every version."""
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return value


def extent(value: Extent | None) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return ",".join(str(whole(one)) for one in value)
    return str(whole(value))


class Folder:
    """A temporary folder that lives as long as this object."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="lanescope-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


def has_front_matter(file: Path) -> bool:
    try:
        with open(file, "rb") as opened:
            return FRONT_MATTER in opened.read(1 << 20) or (file.suffix == ".ptx" and file.with_suffix(".toml").exists())
    except OSError:
        return False


def run(file: StrPath | None = None, *, source: str | None = None, name: str = "source.cu", block: Extent | None = None, grid: Extent | None = None,
        engine: Literal["cpu", "gpu"] | None = None, gpu: str | None = None, schedule: str | None = None, code: Literal["debug", "optimized"] | None = None,
        include: Iterable[StrPath] = (), define: Mapping[str, object] | Iterable[str] = (), std: str | None = None, arch: str | None = None,
        kernel: str | None = None, shared: int | None = None, count: Mapping[str, object] | None = None, fill: Mapping[str, object] | None = None,
        max_steps: int | None = None, resident: int | None = None, record_blocks: Extent | None = None, timeout: float | None = None,
        arguments: Sequence[str] = (), check: bool = False, set: Mapping[str, object] | None = None, **parameters: object) -> Run:
    """Runs a kernel file and returns what was counted and found.

    `file` is a path, or the name of a lesson such as "scan/blelloch"; `source` is a text of CUDA C++ instead, called `name` in messages.
    Other names are parameters of the file (in `set`, if they are called like an option). `block` and `grid` are parameters, too, where front
    matter has such names; else the launch that is proposed has that extent, a number or up to three. `timeout` is in seconds. A whole
    program with main() gets `arguments`, and `check` looks for races and unchecked errors in it, too. Run only programs that you trust.
    `lanescope run --help` explains the other options.

    Problems of the kernel are in the result. Errors: BadInput (no such file, it does not compile, an unknown parameter: with `file`, `line`
    and `hint`), EngineMissing, ProgramMissing, TimeLimit.

    >>> ls.run("scan/blelloch", n=16).ok
    True
    >>> ls.run(source="__global__ void twice(int* a) { a[threadIdx.x] *= 2; }", block=4).buffers["a"].size
    4
    """
    if (file is None) == (source is None):
        raise TypeError("run() takes a file or a source")
    parameters = {**(set or {}), **parameters}
    keep = shown_as = None
    if source is not None:
        keep = Folder()
        path = keep.path / "source.cu"
        path.write_text(source, encoding="utf-8")
        shown_as = name
    else:
        assert file is not None
        path = found(file)
    if has_front_matter(path):
        for part, value in (("block", block), ("grid", grid)):
            if value is not None:
                parameters[part] = value
        block = grid = None
    options = options_of(engine=engine, gpu=gpu, schedule=schedule, code=code, include=include, define=define, std=std, arch=arch, kernel=kernel,
                         grid=grid, block=block, shared=shared, count=count, fill=fill, max_steps=max_steps, resident=resident,
                         record_blocks=record_blocks, check=check, parameters=parameters)
    return Run._of(path, options, words=arguments, timeout=timeout, keep=keep, shown_as=shown_as)


def found(file: StrPath) -> Path:
    """The path, or the file of the lesson with this name."""
    if "\0" in os.fspath(file):
        raise BadInput(f"the name {os.fspath(file)!r} has a zero byte")
    path = Path(file)
    if path.suffix or path.exists():
        return path
    for topic in json_of(call(["list", "--json"], timeout_s=GRACE_S)):
        for lesson in topic["lessons"]:
            if f"{topic['topic']}/{lesson['name']}" == os.fspath(file):
                return Path(lesson["file"])
    raise BadInput("no such file or lesson", file=os.fspath(file), hint="lanescope list prints the lessons")
