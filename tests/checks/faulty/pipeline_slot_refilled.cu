/*--- lanescope
title = "A slot is filled again while others read it"
arch = "sm_80"

[buffers]
in  = { type = "int", count = "256", init = "iota" }
out = { type = "int", count = "256" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (b) (a)
#include <cuda_pipeline.h>
__global__ void k(const int* in, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int tile = 0; tile < 4; ++tile) {
        __pipeline_memcpy_async(&s[t], &in[64 * tile + t], sizeof(int));  // (a)
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        out[64 * tile + t] = s[63 - t];  // (b)

    }
}
