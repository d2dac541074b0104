/*--- lanescope
title = "A matrix is read right after it was stored"

[buffers]
out = { type = "float", count = "256" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["out"]

[[expect]]
problems = ["unsynced_lanes"]
---*/
// Finds: unsynced_lanes (a) (b)
#include <mma.h>
using namespace nvcuda;
__global__ void k(float* out) {
    __shared__ float s[256];
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> f;
    wmma::fill_fragment(f, 3.0f);
    wmma::store_matrix_sync(s, f, 16, wmma::mem_row_major);  // (a)
    for (int i = threadIdx.x; i < 256; i += 32)
        out[i] = s[i];                                         // (b)
}
