/*--- lanescope
title = "Wait for the copy (solution)"
exercise = "pipelines/wait_for_the_copy"
arch = "sm_80"

[params]
n = { default = 16, min = 1, max = 32, label = "rows and columns n" }

[buffers]
in  = { type = "int", shape = ["n", "n"], init = "random(0, 99)" }
out = { type = "int", shape = ["n", "n"] }

[[launch]]
kernel = "transpose"
grid   = ["1"]
block  = ["n", "n"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "transpose(in)"
---*/
#include <cuda_pipeline.h>

__global__ void transpose(const int* in, int* out, unsigned n) {
    __shared__ int s[32][33];
    unsigned x = threadIdx.x, y = threadIdx.y;
    __pipeline_memcpy_async(&s[y][x], &in[y * n + x], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[y * n + x] = s[x][y];
}
