/*--- lanescope
title = "Matrix product on the tensor cores"

[params]
n = { default = 64, choices = [32, 64, 128, 256, 512, 1024, 2048, 4096, 8192], label = "rows and columns n" }

[buffers]
a = { type = "half", shape = ["n", "n"], init = "random(0, 9)" }
b = { type = "half", shape = ["n", "n"], init = "random(0, 9)" }
c = { type = "float", shape = ["n", "n"] }

[[launch]]
kernel = "matmul"
grid   = ["n / 32", "n / 32"]
block  = ["32", "2", "2"]
args   = ["a", "b", "c", "n"]

[[expect]]
buffer = "c"
equals = "matmul(a, b)"
---*/
#include <mma.h>
using namespace nvcuda::wmma;

// A warp computes 16 × 16 elements of c, and a block of 2 × 2 warps 32 × 32.
__global__ void matmul(const half* a, const half* b, float* c, int n) {
    int col = (blockIdx.x * blockDim.y + threadIdx.y) * 16;
    int row = (blockIdx.y * blockDim.z + threadIdx.z) * 16;
    fragment<matrix_a, 16, 16, 16, half, row_major> fa;
    fragment<matrix_b, 16, 16, 16, half, row_major> fb;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0);
    for (int k = 0; k < n; k += 16) {
        load_matrix_sync(fa, a + row * n + k, n);
        load_matrix_sync(fb, b + k * n + col, n);
        mma_sync(sum, fa, fb, sum);
    }
    store_matrix_sync(c + row * n + col, sum, n, mem_row_major);
}
