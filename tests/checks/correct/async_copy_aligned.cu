/*--- lanescope
title = "An asynchronous copy of 16 bytes"
arch = "sm_80"

[buffers]
in  = { type = "int", count = "132", init = "iota" }
out = { type = "int", count = "128" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]
---*/
#include <cuda_pipeline.h>
__global__ void k(const int* in, int* out) {
    __shared__ int4 s[32];
    __pipeline_memcpy_async(&s[threadIdx.x], in + 4 * threadIdx.x + 4, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    reinterpret_cast<int4*>(out)[threadIdx.x] = s[threadIdx.x];
}
