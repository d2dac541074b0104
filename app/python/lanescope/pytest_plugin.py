"""`pytest --lanescope-check`: each kernel file is a test, which fails with the problem at its line.

Every .cu file with front matter is collected; other .cu files only if the command line names them. Tests that start CUDA programs are
checked by `lanescope record --check -- pytest`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Iterator

import pytest

from .program import LanescopeError
from .run import has_front_matter, run


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("lanescope").addoption("--lanescope-check", action="store_true",
                                           help="run .cu files with front matter, and fail for races, wrong accesses and wrong results")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix != ".cu" or not parent.config.getoption("--lanescope-check"):
        return None
    if not parent.session.isinitpath(file_path) and not has_front_matter(file_path):
        return None
    return KernelFile.from_parent(parent, path=file_path)


class KernelFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        yield KernelItem.from_parent(self, name="lanescope")


class Found(Exception):
    """What a run found, a line each."""


class KernelItem(pytest.Item):
    line = 0

    def runtest(self) -> None:
        done = run(self.path)
        if done.ok:
            return
        errors = [problem for problem in done.problems if problem.severity == "error"]
        self.line = errors[0].line if errors else 0
        found = [str(problem) for problem in errors]
        found += [f"{done.file}: {one['buffer']}: {one['mismatch']}" for one in done.expect if not one["ok"]]
        raise Found("\n".join(found) or repr(done))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *more: Any, **named: Any) -> Any:
        if isinstance(excinfo.value, (Found, LanescopeError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *more, **named)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, self.line - 1 if self.line else None, f"{self.path.name}: lanescope"
