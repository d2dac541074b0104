"""Lanescope from Python: runs CUDA kernels on an exact CPU machine, and shows each step.

>>> import lanescope as ls
>>> run = ls.run("scan/blelloch", n=16)
>>> run.ok, run.metrics["barriers"]
(True, 9)
"""

from typing import Any

from .commands import Goal, Lesson, Verdict, check, doctor, exercises, lessons, time
from .kernels import KernelRun, trace
from .program import BadInput, EngineMissing, LanescopeError, ProgramMissing, TimeLimit, program
from .run import Access, Buffers, FlowOfElement, Launch, Page, Picture, Problem, Run, Step, run

__all__ = ["Access", "BadInput", "Buffers", "EngineMissing", "FlowOfElement", "Goal", "KernelRun", "LanescopeError", "Launch", "Lesson", "Page", "Picture", "Problem",
           "ProgramMissing", "Run", "Step", "TimeLimit", "Verdict", "check", "doctor", "exercises", "lessons", "program", "run", "time", "trace"]


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext lanescope` adds the magics of lanescope.notebook."""
    from .notebook import load_ipython_extension as load

    load(shell)
