/*--- lanescope
title = "Add up along k"
exercise = "matmul/along_k"

[params]
n = { default = 48, choices = [16, 32, 48, 64, 128], label = "rows and columns n" }

[buffers]
a = { type = "half", shape = ["n", "n"], init = "random(0, 9)" }
b = { type = "half", shape = ["n", "n"], init = "random(0, 9)" }
c = { type = "float", shape = ["n", "n"] }

[[launch]]
kernel = "matmul"
grid   = ["n / 16", "n / 16"]
block  = ["32"]
args   = ["a", "b", "c", "n"]

[[expect]]
buffer = "c"
equals = "matmul(a, b)"
---*/
#include <mma.h>
using namespace nvcuda::wmma;

// A block is one warp and computes 16 × 16 elements of c.
__global__ void matmul(const half* a, const half* b, float* c, int n) {
    int col = blockIdx.x * 16, row = blockIdx.y * 16;
    fragment<matrix_a, 16, 16, 16, half, row_major> fa;
    fragment<matrix_b, 16, 16, 16, half, row_major> fb;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0);
    load_matrix_sync(fa, a + row * n, n);
    load_matrix_sync(fb, b + col, n);
    mma_sync(sum, fa, fb, sum);
    store_matrix_sync(c + row * n + col, sum, n, mem_row_major);
}
