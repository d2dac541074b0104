/*--- lanescope
title = "A matrix is loaded right after the lanes wrote it"

[buffers]
a = { type = "half", shape = ["16", "16"], init = "constant(2)" }
b = { type = "half", shape = ["16", "16"], init = "constant(1)" }
c = { type = "float", shape = ["16", "16"] }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "c"]

[[expect]]
problems = ["unsynced_lanes"]
---*/
// Finds: unsynced_lanes (a) (b)
#include <mma.h>
using namespace nvcuda;
__global__ void k(const half* a, const half* b, float* c) {
    __shared__ half s[256];
    for (int i = threadIdx.x; i < 256; i += 32)
        s[i] = a[i];                       // (a)
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, s, 16);  // (b)
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
