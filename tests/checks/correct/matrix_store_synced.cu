/*--- lanescope
title = "A matrix is read once all lanes stored it"

[buffers]
out = { type = "float", count = "256" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["out"]
---*/
#include <mma.h>
using namespace nvcuda;
__global__ void k(float* out) {
    __shared__ float s[256];
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> f;
    wmma::fill_fragment(f, 3.0f);
    wmma::store_matrix_sync(s, f, 16, wmma::mem_row_major);
    __syncwarp();
    for (int i = threadIdx.x; i < 256; i += 32)
        out[i] = s[i];
}
