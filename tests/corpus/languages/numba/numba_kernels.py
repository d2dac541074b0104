"""Kernels of Numba: python3 numba_kernels.py FOLDER writes their PTX. Needs no GPU."""
import math
import os
import sys

from numba import cuda, float32, int32


def vector_add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


def block_sum(values, total):
    partial = cuda.shared.array(4, float32)
    i = cuda.grid(1)
    x = float32(0)
    if i < values.size:
        x = values[i]
    offset = 16
    while offset > 0:
        x += cuda.shfl_down_sync(0xffffffff, x, offset)
        offset //= 2
    lane = cuda.threadIdx.x % 32
    warp = cuda.threadIdx.x // 32
    if lane == 0:
        partial[warp] = x
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        s = float32(0)
        for w in range((cuda.blockDim.x + 31) // 32):
            s += partial[w]
        cuda.atomic.add(total, 0, s)


def matmul_tile(a, b, c):
    sa = cuda.shared.array((8, 8), float32)
    sb = cuda.shared.array((8, 8), float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    acc = float32(0)
    for k in range((a.shape[1] + 7) // 8):
        sa[ty, tx] = 0
        sb[ty, tx] = 0
        if y < a.shape[0] and tx + k * 8 < a.shape[1]:
            sa[ty, tx] = a[y, tx + k * 8]
        if x < b.shape[1] and ty + k * 8 < b.shape[0]:
            sb[ty, tx] = b[ty + k * 8, x]
        cuda.syncthreads()
        for j in range(8):
            acc += sa[ty, j] * sb[j, tx]
        cuda.syncthreads()
    if y < c.shape[0] and x < c.shape[1]:
        c[y, x] = acc


def softmax_rows(a, out):
    row = cuda.blockIdx.x
    if cuda.threadIdx.x == 0 and row < a.shape[0]:
        largest = float32(-math.inf)
        for j in range(a.shape[1]):
            largest = max(largest, a[row, j])
        total = float32(0)
        for j in range(a.shape[1]):
            total += math.exp(a[row, j] - largest)
        for j in range(a.shape[1]):
            out[row, j] = math.exp(a[row, j] - largest) / total


def histogram(values, counts):
    i = cuda.grid(1)
    if i < values.size:
        cuda.atomic.add(counts, values[i] % counts.size, 1)


def saxpy(n, alpha, x, y):
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        y[i] = alpha * x[i] + y[i]


def layer_norm(a, gamma, beta, out):
    row = cuda.blockIdx.x
    mean = float32(0)
    square = float32(0)
    for j in range(a.shape[1]):
        mean += a[row, j]
    mean /= a.shape[1]
    for j in range(a.shape[1]):
        square += (a[row, j] - mean) * (a[row, j] - mean)
    scale = 1 / math.sqrt(square / a.shape[1] + 1e-5)
    for j in range(cuda.threadIdx.x, a.shape[1], cuda.blockDim.x):
        out[row, j] = (a[row, j] - mean) * scale * gamma[j] + beta[j]


def scan(x, out):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    distance = 1
    while distance < 64:
        before = float32(0)
        if t >= distance:
            before = s[t - distance]
        cuda.syncthreads()
        s[t] += before
        cuda.syncthreads()
        distance *= 2
    out[t] = s[t]


def racy_scan(x, out):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    out[t] = s[63 - t]
    s[t] = s[(t + 32) % 64]


def unguarded_add(a, b, c):
    i = cuda.grid(1)
    c[i] = a[i] + b[i]


vec, mat, ints = float32[::1], float32[:, ::1], int32[::1]
kernels = {
    "vector_add": (vector_add, (vec, vec, vec)),
    "block_sum": (block_sum, (vec, vec)),
    "matmul_tile": (matmul_tile, (mat, mat, mat)),
    "softmax_rows": (softmax_rows, (mat, mat)),
    "histogram": (histogram, (ints, ints)),
    "saxpy": (saxpy, (int32, float32, vec, vec)),
}
if __name__ == "__main__":
    folder = sys.argv[1]
    for name, (function, signature) in kernels.items():
        for debug in (False, True) if name in ("vector_add", "block_sum") else (False,):
            text, _ = cuda.compile_ptx(function, signature, cc=(9, 0), debug=debug, opt=not debug,
                                       lineinfo=not debug)
            with open(os.path.join(folder, name + ("_debug" if debug else "") + ".ptx"), "w") as out:
                out.write(text)
