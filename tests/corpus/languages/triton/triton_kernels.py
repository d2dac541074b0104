"""Kernels of Triton: python3 triton_kernels.py FOLDER writes their PTX. Needs no GPU."""
import os
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(out + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)


@triton.jit
def block_sum(values, total, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(values + i, mask=i < n, other=0.0)
    tl.atomic_add(total, tl.sum(x, axis=0))


@triton.jit
def softmax_rows(out, x, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    mask = j < columns
    values = tl.load(x + row * stride + j, mask=mask, other=-float("inf"))
    e = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * stride + j, e / tl.sum(e, axis=0), mask=mask)


@triton.jit
def matmul_tile(a, b, c, m, n, k, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for first in range(0, k, BLOCK):
        inner = first + tl.arange(0, BLOCK)
        left = tl.load(a + rows[:, None] * k + inner[None, :],
                       mask=(rows[:, None] < m) & (inner[None, :] < k), other=0.0)
        right = tl.load(b + inner[:, None] * n + columns[None, :],
                        mask=(inner[:, None] < k) & (columns[None, :] < n), other=0.0)
        acc += tl.dot(left, right)
    tl.store(c + rows[:, None] * n + columns[None, :], acc,
             mask=(rows[:, None] < m) & (columns[None, :] < n))


@triton.jit
def histogram(values, counts, n, bins, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    value = tl.load(values + i, mask=mask, other=0)
    tl.atomic_add(counts + value % bins, 1, mask=mask)


@triton.jit
def prefix_sum(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    mask = i < n
    tl.store(out + i, tl.cumsum(tl.load(x + i, mask=mask, other=0.0), axis=0), mask=mask)


@triton.jit
def layer_norm(x, gamma, beta, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    mask = j < columns
    values = tl.load(x + row * columns + j, mask=mask, other=0.0)
    mean = tl.sum(values, axis=0) / columns
    apart = tl.where(mask, values - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(apart * apart, axis=0) / columns + 1e-5)
    tl.store(out + row * columns + j, apart * scale * tl.load(gamma + j, mask=mask) + tl.load(beta + j, mask=mask), mask=mask)


@triton.jit
def unmasked_add(x, y, out, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    sum = tl.load(x + i) + tl.load(y + i)
    tl.store(out + i, sum)


@triton.jit
def racy_histogram(values, counts, n, bins, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    place = counts + tl.load(values + i, mask=mask, other=0) % bins
    tl.store(place, tl.load(place, mask=mask) + 1, mask=mask)


kernels = {
    "vector_add": (vector_add, dict(x="*fp32", y="*fp32", out="*fp32", n="i32"), dict(BLOCK=256)),
    "block_sum": (block_sum, dict(values="*fp32", total="*fp32", n="i32"), dict(BLOCK=256)),
    "softmax_rows": (softmax_rows, dict(out="*fp32", x="*fp32", stride="i32", columns="i32"), dict(BLOCK=128)),
    "matmul_tile": (matmul_tile, dict(a="*fp16", b="*fp16", c="*fp32", m="i32", n="i32", k="i32"),
                    dict(BLOCK=32)),
    "histogram": (histogram, dict(values="*i32", counts="*i32", n="i32", bins="i32"), dict(BLOCK=128)),
    "prefix_sum": (prefix_sum, dict(x="*fp32", out="*fp32", n="i32"), dict(BLOCK=128)),
}
if __name__ == "__main__":
    folder = sys.argv[1]
    for name, (function, signature, constants) in kernels.items():
        source = ASTSource(fn=function, signature={**signature, **{k: "constexpr" for k in constants}},
                           constexprs=constants)
        made = triton.compile(source, target=GPUTarget("cuda", 90, 32))
        with open(os.path.join(folder, name + ".ptx"), "w") as out:
            out.write(made.asm["ptx"])
