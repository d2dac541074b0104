#!/usr/bin/env python3
"""Runs what README.md and kernels/README.md print: every `lanescope …` line of a code block, and README.md's own kernel.

    tests/readme/run.py [--build FOLDER]

Every picture that a page shows must be there, and be one that a suite draws again or that `RECORDED` names; app/WINDOW.md must show
every view of tests/screens/views.txt. Each command must end with exit 0. Without a display a line that opens the window draws a picture instead. The tables in
kernels/README.md must be those of assets/counts.json and the recording, and the counts those of the CPU machine now.
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
PAGES = ("README.md", "app/WINDOW.md", "app/README.md", "kernels/README.md", "tests/README.md")
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)#:]+)(?:#[^)]*)?\)")
RECORDED = ("assets/images/gpu_threads.png", "assets/images/gpu_schedule.png")   # on a GPU
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


def targets(page, pattern):
    """What the page names, from the repository's root."""
    folder = (ROOT / page).parent
    return [(folder / name).resolve().relative_to(ROOT).as_posix() for name in pattern.findall((ROOT / page).read_text(encoding="utf-8"))]


def case_names(name):
    lines = (ROOT / "tests/screens" / name).read_text(encoding="utf-8").splitlines()
    return [line.split(":", 1)[0] for line in lines if line.strip() and not line.startswith("#")]


def is_drawn(picture):
    """A suite draws it again and compares."""
    folder, name = Path(picture).parent.as_posix(), Path(picture).stem
    if folder == "tests/screens":
        return name in case_names("cases.txt")
    return folder == "tests/screens/views" and name.rsplit("_", 2)[0] in case_names("views.txt")


def check_pictures(report):
    for page in PAGES:
        for target in sorted(set(targets(page, LINK))):
            if not (ROOT / target).exists():
                report.failure(f"readme: {page}: {target}", "no such file")
        for picture in targets(page, PICTURE):
            there = (ROOT / picture).is_file()
            kept = there and (is_drawn(picture) or picture in RECORDED)
            report.verdict(f"readme: {page}: {picture}", "passed" if kept else "failed",
                           "no suite draws it" if there else "no such file")
    shown = {Path(picture).stem.rsplit("_", 2)[0] for picture in targets("app/WINDOW.md", PICTURE)}
    missing = [view for view in case_names("views.txt") if view not in shown | {"schedule"}]   # on a GPU: RECORDED
    report.verdict("readme: app/WINDOW.md: every view", "failed" if missing else "passed", "no picture of " + ", ".join(missing))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    program = parser.parse_args().build.resolve() / "lanescope"
    report = Report()
    check_pictures(report)
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
        report.verdict("readme: kernels/README.md: the tables", "passed" if code == 0 else "failed", err + out)
        code, out, err = run([sys.executable, str(ROOT / "tests/timings/counts.py"), "--check", "--build", str(program.parent)],
                             cwd=ROOT, env=clean_environment(folder), timeout_s=LIMIT_S)
        report.verdict("readme: assets/counts.json", "passed" if code == 0 else "failed", err + out)
    report.finish()


main()
