#!/usr/bin/env python3
"""Fits the figures of assets/devices/h200.toml that are marked [fitted] to the recorded times of the lessons in train.txt.

    tests/clock/fit.py [--build FOLDER] [--rounds N] [--write] [FIGURE…]     FIGURE: only these; --write: changes the file

Each figure in turn is made larger and smaller; what lowers the cost stays. The cost of an estimate is the logarithm of its ratio to
the measured time, beyond 0.5 only its root, so that a few kernels that the model misses do not bend the figures.
"""

import argparse
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness import ROOT, output_folder  # noqa: E402

HERE = Path(__file__).resolve().parent
DEVICE = ROOT / "assets" / "devices" / "h200.toml"
FIGURE = re.compile(r"^(\w+) = ([0-9.e]+)( +# \[fitted\])", re.MULTILINE)
STEPS = (1.25, 0.8, 1.06, 0.94)


class Estimates:
    """Programs that hold the recordings and answer for any figures."""

    def __init__(self, build):
        env = os.environ | {"LANESCOPE_HOME": str(ROOT), "LANESCOPE_CACHE": str(output_folder("cache"))}
        recording = ROOT / "assets" / "timings" / "nvidia-h200.json"
        count = os.cpu_count()
        self.programs = [subprocess.Popen([str(build / "clock_estimates"), str(recording), str(ROOT), "--quick", "--serve",
                                           "--lessons", str(HERE / "train.txt"), "--part", f"{i}/{count}"],
                                          env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for i in range(count)]

    def cost(self, figures):
        words = " ".join(f"{name}={value}" for name, value in figures.items())
        for program in self.programs:
            program.stdin.write(words + "\n")
            program.stdin.flush()
        costs = []
        for program in self.programs:
            for line in iter(program.stdout.readline, ".\n"):
                each = json.loads(line)
                if "microseconds" in each:
                    off = abs(math.log(each["microseconds"] / each["measured_us"]))
                    costs.append(off if off < 0.5 else math.sqrt(0.5 * off))
        return sum(costs) / len(costs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("figures", nargs="*")
    options = parser.parse_args()
    text = DEVICE.read_text(encoding="utf-8")
    figures = {name: float(value) for name, value, _ in FIGURE.findall(text) if not options.figures or name in options.figures}
    estimates = Estimates(options.build.resolve())
    best = estimates.cost(figures)
    print(f"{best:.4f}", flush=True)
    for _ in range(options.rounds):
        for name in figures:
            for step in STEPS:
                tried = figures | {name: float(f"{figures[name] * step:.4g}")}
                if (cost := estimates.cost(tried)) < best - 1e-5:
                    best, figures = cost, tried
                    print(f"{best:.4f} {name} = {figures[name]:g}", flush=True)
    if options.write:
        DEVICE.write_text(FIGURE.sub(lambda found: f"{found[1]} = {figures.get(found[1], float(found[2])):g}{found[3]}", text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
