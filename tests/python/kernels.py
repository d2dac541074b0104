#!/usr/bin/env python3
"""Kernels of Numba and Triton through ls.trace, compared with NumPy. Needs numba-cuda with its NVVM, and Triton; a missing one is skipped.

    tests/python/kernels.py [--table]     --table: print what each kernel showed
"""

import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "app" / "python"), *(str(ROOT / "tests/corpus/languages" / each) for each in ("numba", "triton"))]
from harness import Report  # noqa: E402


def line_of(module, text):
    """The number of the only line that contains the text."""
    found = [number for number, line in enumerate(Path(module.__file__).read_text().splitlines(), 1) if text in line]
    assert len(found) == 1, (text, found)
    return found[0]


class Cases:
    def __init__(self, report):
        import numpy as np
        import lanescope as ls

        self.np, self.ls, self.report = np, ls, report
        self.rows = []
        random = np.random.default_rng(7)
        self.x, self.y = random.random(100, dtype="f4"), random.random(100, dtype="f4")
        self.rows_in = random.random((3, 100), dtype="f4")
        self.gamma, self.beta = random.random(100, dtype="f4"), random.random(100, dtype="f4")
        self.digits = random.integers(0, 10, 300).astype("i4")
        e = np.exp(self.rows_in)
        self.softmax = e / e.sum(axis=1, keepdims=True)
        spread = self.rows_in.var(axis=1, keepdims=True) + 1e-5
        self.normed = (self.rows_in - self.rows_in.mean(axis=1, keepdims=True)) / np.sqrt(spread) * self.gamma + self.beta

    def case(self, name, run, got, wanted, *lines):
        errors = [each for each in run.problems if each.severity == "error"]
        agrees = self.np.allclose(got, wanted, rtol=1e-4, atol=1e-5)
        visited = {step.line for step in run.steps}
        self.row(name, "yes" if agrees else "NO", run)
        self.verdict(name, agrees and not errors and set(lines) <= visited and Path(run.report["lines_file"]).suffix == ".py",
                     f"agrees: {agrees}, steps on lines {sorted(visited)}, problems: {errors}")

    def found(self, name, run, kind, *lines):
        errors = [each for each in run.problems if each.kind == kind and each.severity == "error"]
        self.row(name, "-", run)
        self.verdict(name, errors and all(each.line in lines and each.file.endswith("_kernels.py") for each in errors), f"{run.problems}, wanted {kind} at {lines}")

    def verdict(self, name, fine, why):
        self.report.verdict(f"kernels: {name}", "passed" if fine else "failed", why)

    def row(self, name, agrees, run):
        problems = ", ".join(f"{each.kind} at line {each.line}" for each in run.problems if each.severity == "error")
        self.rows.append(f"{name:24} agrees {agrees:4} steps {len(run.steps):4}  {problems or 'no problem'}")

    def numba(self):
        import numba_kernels as kernels
        from numba import cuda

        np, zeros = self.np, self.np.zeros

        def trace(name, grid, block, *arguments, **options):
            return self.ls.trace(cuda.jit(getattr(kernels, name)), grid, block, **options)(*arguments)

        out = zeros((3, 100), "f4")
        self.case("numba/softmax", trace("softmax_rows", 3, 32, self.rows_in, out), out, self.softmax, line_of(kernels, "math.exp(a[row, j] - largest) / total"))
        a, b, c = self.rows_in[:, :13].copy(), self.rows_in[:, 13:26].T.copy(), zeros((3, 3), "f4")
        self.case("numba/matmul", trace("matmul_tile", (1, 1), (8, 8), a, b, c), c, a @ b, line_of(kernels, "acc += sa[ty, j] * sb[j, tx]"))
        out = zeros((3, 100), "f4")
        self.case("numba/layer_norm", trace("layer_norm", 3, 32, self.rows_in, self.gamma, self.beta, out), out, self.normed, line_of(kernels, "scale = 1 / math.sqrt"))
        total = zeros(1, "f4")
        for code in ("debug", "optimized"):
            total[:] = 0
            self.case(f"numba/reduction {code}", trace("block_sum", 1, 128, self.x, total, code=code), total, self.x.sum(), line_of(kernels, "shfl_down_sync"))
        out = zeros(64, "f4")
        self.case("numba/scan", trace("scan", 1, 64, self.x[:64].copy(), out), out, np.cumsum(self.x[:64]), line_of(kernels, "s[t] += before"))
        counts = zeros(10, "i4")
        self.case("numba/atomics", trace("histogram", 5, 64, self.digits, counts), counts, np.bincount(self.digits, minlength=10), line_of(kernels, "cuda.atomic.add(counts"))
        # A view with strides: what lies between its elements stays.
        y = np.arange(20, dtype="f4")
        self.case("numba/strides", trace("saxpy", 1, 32, np.int32(10), np.float32(2), self.x[:10], y[::2]), y[1::2], np.arange(1, 20, 2))
        self.found("numba/racy", trace("racy_scan", 1, 64, self.x[:64].copy(), out), "race", *(line_of(kernels, each) for each in ("out[t] = s[63 - t]", "s[(t + 32) % 64]")))
        self.found("numba/unguarded", trace("unguarded_add", 2, 64, self.x, self.y, zeros(100, "f4")), "out_of_bounds", line_of(kernels, "def unguarded_add") + 2)

    def triton(self):
        import triton_kernels as kernels

        np, zeros = self.np, self.np.zeros

        def trace(name, grid, *arguments, **options):
            return self.ls.trace(getattr(kernels, name), grid)(*arguments, **options)

        out = zeros((3, 100), "f4")
        softmax = trace("softmax_rows", (3,), out, self.rows_in, 100, 100, BLOCK=128)
        self.case("triton/softmax", softmax, out, self.softmax, line_of(kernels, "e = tl.exp"))
        e = np.exp(self.rows_in - self.rows_in.max(axis=1, keepdims=True))
        tiles = softmax.tiles
        self.verdict("triton/tiles", np.allclose(tiles["e"].values[:, :100], e, rtol=1e-4) and np.array_equal(tiles["values"].values[:, :100], self.rows_in)
                     and tiles["mask"].values.sum() == 300 and np.array_equal(tiles["j"].values[2], np.arange(128)), repr(tiles))
        a, b, c = self.rows_in[:, :50].astype("f2"), self.rows_in[:, 50:].T.astype("f2").copy(), zeros((3, 3), "f4")
        matmul = trace("matmul_tile", (1, 1), a, b, c, 3, 3, 50, BLOCK=32)
        self.case("triton/matmul", matmul, c, a.astype("f4") @ b.astype("f4"), line_of(kernels, "acc += tl.dot"))
        acc = matmul.tiles
        first = next(step.number for step in acc.run.steps if step.line == line_of(kernels, "acc += tl.dot"))
        self.verdict("triton/tiles at a step", np.allclose(acc["acc"].values[:3, :3], c) and "nvidia_mma" in str(acc["acc"].layouts)
                     and np.allclose(acc.at(first)["acc"].values[:3, :3], a[:, :32].astype("f4") @ b[:32].astype("f4"), rtol=1e-3)
                     and acc.held_by("acc") == "((4,8,2,2),(2,2,2)):((2,32,8,512),(1,16,256))", f"{acc}, {acc.held_by('acc')}")
        out = zeros((3, 100), "f4")
        self.case("triton/layer_norm", trace("layer_norm", (3,), self.rows_in, self.gamma, self.beta, out, 100, BLOCK=128), out, self.normed, line_of(kernels, "scale = 1 / tl.sqrt"))
        total = zeros(1, "f4")
        self.case("triton/reduction", trace("block_sum", lambda meta: (-(-100 // meta["BLOCK"]),), self.x, total, 100, BLOCK=64), total, self.x.sum(), line_of(kernels, "tl.atomic_add(total"))
        out = zeros(100, "f4")
        self.case("triton/scan", trace("prefix_sum", (1,), self.x, out, 100, BLOCK=128, num_warps=2), out, np.cumsum(self.x), line_of(kernels, "tl.cumsum"))
        counts = zeros(10, "i4")
        self.case("triton/atomics", trace("histogram", (3,), self.digits, counts, 300, 10, BLOCK=128), counts, np.bincount(self.digits, minlength=10), line_of(kernels, "tl.atomic_add(counts"))
        self.found("triton/racy", trace("racy_histogram", (3,), self.digits, counts, 300, 10, BLOCK=128), "race", line_of(kernels, "tl.store(place"), line_of(kernels, "place = counts"))
        first = line_of(kernels, "sum = tl.load(x + i)")
        self.found("triton/unmasked", trace("unmasked_add", (1,), self.x, self.y, out, BLOCK=128), "out_of_bounds", first, first + 1)


def main():
    report = Report()
    found = {name: importlib.util.find_spec(name) is not None for name in ("numpy", "numba", "triton")}
    if not found["numpy"]:
        report.skip("kernels", "no numpy")
        report.finish()
    cases = Cases(report)
    for name in ("numba", "triton"):
        if found[name]:
            getattr(cases, name)()
        else:
            report.skip(f"kernels: {name}", f"no {name}")
    if "--table" in sys.argv:
        print("\n".join(cases.rows))
    report.finish()


main()
