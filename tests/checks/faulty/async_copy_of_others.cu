/*--- lanescope
title = "Each thread waits for its own copies and reads those of others"
arch = "sm_80"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (b)
// Also: uninitialised (b)
#include <cuda_pipeline.h>
__global__ void k(const int* in, int* out) {
    __shared__ int s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(int));  // (a)
    __pipeline_commit();
    __pipeline_wait_prior(0);

    out[threadIdx.x] = s[63 - threadIdx.x];  // (b)
}
