/*--- lanescope
title = "The last tile is not awaited"
arch = "sm_80"

[buffers]
in  = { type = "int", count = "128", init = "iota" }
out = { type = "int", count = "128" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
problems = ["uninitialised"]
---*/
// Finds: uninitialised (a)
#include <cuda_pipeline.h>
__global__ void k(const int* in, int* out) {
    __shared__ int s[2][64];
    int t = threadIdx.x;
    for (int tile = 0; tile < 2; ++tile) {
        __pipeline_memcpy_async(&s[tile][t], &in[64 * tile + t], sizeof(int));
        __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    __syncthreads();
    out[t] = s[0][63 - t];
    out[64 + t] = s[1][63 - t];  // (a)
}
