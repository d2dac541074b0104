/*--- lanescope
title = "wmma on global and shared memory"
arch = "sm_90"

[buffers]
a = { type = "half", shape = ["16", "16"], init = "random(-3, 3)" }
b = { type = "half", shape = ["16", "16"], init = "random(-3, 3)" }
c = { type = "float", shape = ["16", "16"] }
[[launch]]
kernel = "multiply"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "c"]
[[expect]]
problems = ["unsynced_lanes"]
[[expect]]
buffer = "c"
equals = "matmul(a, b)"
---*/
#include <mma.h>
using namespace nvcuda;
__global__ void multiply(const half* a, const half* b, float* c) {
    __shared__ alignas(32) float tile[256];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(tile, fc, 16, wmma::mem_row_major);
    for (int i = threadIdx.x; i < 256; i += 32)
        c[i] = tile[i];
}
