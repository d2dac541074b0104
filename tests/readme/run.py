#!/usr/bin/env python3
"""Runs what README.md and kernels/README.md print: every `lanescope …` line of a code block, and README.md's own kernel.

    tests/readme/run.py [--build FOLDER]

Each must end with exit 0. Without a display a line that opens the window draws a picture instead. The table of timings in
kernels/README.md must be that of the recording.
"""

import argparse
import re
import shlex
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness import ROOT, Report, clean_environment, has_gpu, run  # noqa: E402

LIMIT_S = 120
BLOCK = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KERNEL_START = "/*--- lanescope"


def blocks(name):
    return BLOCK.findall((ROOT / name).read_text(encoding="utf-8"))


def commands(name):
    """Lines that begin with the program; a comment behind one is left out, and one with a gap ("…") is no command."""
    for block in blocks(name):
        for line in block.splitlines():
            words = shlex.split(line, comments=True) if line.startswith("lanescope") else []
            if words and not any("…" in word for word in words):
                yield words


def own_kernel():
    """The kernel of README.md and the file name that it gives it."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    kernel = next(block for block in blocks("README.md") if block.startswith(KERNEL_START) and "__global__" in block)
    return re.search(r"`lanescope run (\w+\.cu)`", text)[1], kernel


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    program = parser.parse_args().build.resolve() / "lanescope"
    report = Report()
    with tempfile.TemporaryDirectory(prefix="lanescope-readme-") as name:
        folder = Path(name)
        for link in ("kernels", "assets", "shaders"):
            (folder / link).symlink_to(ROOT / link)
        file_name, kernel = own_kernel()
        (folder / file_name).write_text(kernel, encoding="utf-8")
        lines = [("README.md", ["lanescope", "run", file_name])]
        lines += [(page, words) for page in ("README.md", "kernels/README.md") for words in commands(page)]
        for page, words in lines:
            if words[1:2] == ["time"] and not has_gpu():
                report.verdict(f"readme: {page}: {shlex.join(words)}", "skipped", "no GPU")
                continue
            code, out, err = run([str(program), *words[1:]], cwd=folder, env=clean_environment(folder),
                                 timeout_s=LIMIT_S)
            verdict = "passed" if code == 0 else "failed"
            report.verdict(f"readme: {page}: {shlex.join(words)}", verdict, f"exit {code}\n{err}{out}")
        for script in re.findall(r"^(app/\S+|tests/\S+)$", "\n".join(blocks("README.md")), re.MULTILINE):
            exists = (ROOT / script).is_file() and (ROOT / script).stat().st_mode & 0o100
            report.verdict(f"readme: README.md: {script}", "passed" if exists else "failed", "no such program")
        code, out, err = run([sys.executable, str(ROOT / "tests/timings/table.py"), "--check"], cwd=ROOT,
                             env=clean_environment(folder), timeout_s=LIMIT_S)
        report.verdict("readme: kernels/README.md: the table of timings", "passed" if code == 0 else "failed", err + out)
    report.finish()


main()
