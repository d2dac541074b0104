/*--- lanescope
title = "A matrix is stored where there is room"

[buffers]
in  = { type = "half", count = "256", init = "iota" }
out = { type = "float", count = "512", init = "zero" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]
---*/
#include <mma.h>
using namespace nvcuda;
__global__ void k(const __half* in, float* out) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    wmma::load_matrix_sync(a, in, 16);
    wmma::load_matrix_sync(b, in, 16);
    wmma::mma_sync(sum, a, b, sum);
    wmma::store_matrix_sync(out + 16 * 16, sum, 16, wmma::mem_row_major);
}
