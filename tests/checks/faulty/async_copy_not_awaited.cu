/*--- lanescope
title = "Data of an asynchronous copy, used without a wait"
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
problems = ["uninitialised"]
---*/
// Finds: uninitialised (a)
#include <cuda_pipeline.h>
__global__ void k(const int* in, int* out) {
    __shared__ int s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(int));
    __pipeline_commit();

    out[threadIdx.x] = s[threadIdx.x];  // (a)
}
