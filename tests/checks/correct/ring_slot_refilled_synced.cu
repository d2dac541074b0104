/*--- lanescope
title = "A barrier before a tile is copied ahead"
arch = "sm_80"

[buffers]
in  = { type = "int", count = "384", init = "iota" }
out = { type = "int", count = "384" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]
---*/
#include <cuda_pipeline.h>
__global__ void k(const int* in, int* out) {
    __shared__ int s[3][64];
    int t = threadIdx.x;
    for (int tile = 0; tile < 8; ++tile) {
        if (tile < 6) __pipeline_memcpy_async(&s[tile % 3][t], &in[64 * tile + t], sizeof(int));
        __pipeline_commit();
        if (tile < 2) continue;
        __pipeline_wait_prior(2);
        __syncthreads();
        out[64 * (tile - 2) + t] = s[(tile - 2) % 3][63 - t];
        __syncthreads();
    }
}
