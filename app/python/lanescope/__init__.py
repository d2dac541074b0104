"""Lanescope from Python: runs CUDA kernels on an exact CPU machine, and shows each step.

>>> import lanescope as ls
>>> run = ls.run("scan/blelloch", n=16)
>>> run.ok, run.metrics["barriers"]
(True, 9)
"""

from .program import BadInput, EngineMissing, LanescopeError, ProgramMissing, TimeLimit, program
from .run import Access, Launch, Problem, Run, run

__all__ = ["Access", "BadInput", "EngineMissing", "LanescopeError", "Launch", "Problem", "ProgramMissing", "Run", "TimeLimit", "program", "run"]
