#!/usr/bin/env python3
"""Runs some golden cases on other processors and in the environments of other people.

    tests/golden/environments.py [--program PATH] [NAME…]     NAME: part of an environment's name
"""

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from case import Case  # noqa: E402
from harness import NOT_EMULATED, ROOT, Report, emulated, other_locale  # noqa: E402
from run import FOLDER, differences, run_case  # noqa: E402

CASES = ("run/printf", "run/saved_trace", "run/served_gpu", "lesson/new_and_check", "check/own_exercise", "time/roofline", "preview/tiled")
OTHER_USER = 65534
AS_OTHER = f"setpriv --reuid={OTHER_USER} --regid={OTHER_USER} --clear-groups"
OWN_PLACE = 'umask 077; mkdir -p "$HOME/my files"; export TMPDIR="$HOME/my files" LANESCOPE_CACHE="$HOME/my cache"'
# What a shell does before it starts the program. HOME is the case's own folder.
SETTINGS = {
    "no AVX in the C library": "export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX,-FMA TZ=Asia/Kathmandu TERM=dumb NO_COLOR=1",
    "no FMA in the C library": "export GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4 TZ=America/St_Johns DISPLAY=:987; umask 000; ulimit -s 512",
    "no ERMS in the C library": "export GLIBC_TUNABLES=glibc.cpu.hwcaps=-ERMS,-FSRM TMPDIR=/proc/sys WAYLAND_DISPLAY=none; unset LC_ALL; ulimit -n 256; exec <&-",
    "one core": f"taskset -p -c {min(os.sched_getaffinity(0))} $$ >/dev/null",
    "private files": OWN_PLACE,
    "another user": f'{OWN_PLACE}; chown -R {OTHER_USER} "$HOME"; set -- {AS_OTHER} "$@"',
}


def environments(program):
    """Yields a name, what makes the command that is run from a case's command, and why this machine cannot; None if it can."""
    for name, setting in SETTINGS.items():
        if name == "another user" and os.geteuid() != 0:
            continue  # every case has another user than root
        yield name, lambda command, setting=setting: ["sh", "-c", f'{setting}; exec "$@"', "sh", *command], reason_against(name, program)
    locale = other_locale()
    yield "Turkish", lambda command: ["env", *(f"{key}={value}" for key, value in locale.items()), *command], None if locale else "no localedef or no source of a locale"
    for processor in ("max", "qemu64"):  # the second has only SSE2 and SSE3
        yield f"emulated {processor}", lambda command, processor=processor: emulated(command, processor), None if emulated([]) else NOT_EMULATED


def reason_against(name, program):
    if name != "another user":
        return None
    seen = all(subprocess.run([*AS_OTHER.split(), "test", "-r", str(path)], check=False).returncode == 0 for path in (program, ROOT / "kernels"))
    return None if seen else "other users cannot reach this folder"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "release" / "lanescope")
    parser.add_argument("names", nargs="*", help="only environments whose name contains one of these")
    options = parser.parse_args()
    program = options.program.resolve()
    report = Report()
    todo = []
    for name, around, reason in environments(program):
        if options.names and not any(part in name for part in options.names):
            continue
        if reason:
            report.skip(f"golden: {name}", reason)
        else:
            todo += [(name, around, case) for case in CASES]

    def complaint(each):
        _, around, name = each
        case = Case(FOLDER / f"{name}.golden")
        return "\n".join(differences(case, run_case(case, program, around)))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for (name, _, case), wrong in zip(todo, pool.map(complaint, todo)):
            report.verdict(f"golden: {case}: {name}", "failed" if wrong else "passed", wrong)
    report.finish()


main()
