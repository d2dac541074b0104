/*--- lanescope
title = "An asynchronous copy, waited for"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "reverse"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "reverse(in, 64)"
---*/
#include <cuda_pipeline.h>
__global__ void reverse(const int* in, int* out) {
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = s[63 - t];
}
