/*--- lanescope
title = "The next tile is copied while this one is used"

[buffers]
in  = { type = "int", count = "256", init = "iota" }
out = { type = "int", count = "256" }

[[launch]]
kernel = "reverse_tiles"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out", "4"]

[[expect]]
buffer = "out"
equals = "reverse(in, 64)"
---*/
#include <cuda_pipeline.h>
__global__ void reverse_tiles(const int* in, int* out, int tiles) {
    __shared__ int s[2][64];
    unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], &in[t], sizeof(int));
    __pipeline_commit();
    for (int k = 0; k < tiles; ++k) {
        if (k + 1 < tiles)
            __pipeline_memcpy_async(&s[(k + 1) % 2][t], &in[64 * (k + 1) + t], sizeof(int));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        out[64 * k + t] = s[k % 2][63 - t];
        __syncthreads();
    }
}
