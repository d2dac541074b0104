/*--- lanescope
title = "cp.async in two groups"
arch = "sm_90"

[buffers]
in  = { type = "float", count = "256", init = "iota(1, 1)" }
out = { type = "float", count = "128" }

[[launch]]
kernel = "stages"
grid   = ["2"]
block  = ["64"]
args   = ["in", "out"]
---*/
#include <cuda_pipeline.h>
__global__ void stages(const float* in, float* out) {
    __shared__ float first[64], second[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    __pipeline_memcpy_async(&first[t], &in[i], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&second[t], &in[i + 128], 4, t % 2 ? 2 : 0);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    float sum = first[63 - t];
    __pipeline_wait_prior(0);
    __syncthreads();
    out[i] = sum + second[63 - t];
}
