/*--- lanescope
title = "A dot product: shuffles, then one atomic operation a block"

[params]
n = { default = 1000 }
block = { default = 256 }
blocks = { default = 528 }

[buffers]
x = { type = "float", count = "n", init = "random(0.0, 1.0)" }
y = { type = "float", count = "n", init = "random(0.0, 1.0)" }
out = { type = "float", count = "1", init = "zero" }

[[launch]]
kernel = "dot"
grid   = ["blocks"]
block  = ["block"]
args   = ["n", "x", "y", "out"]
---*/
__global__ void dot(int n, const float* x, const float* y, float* out) {
    __shared__ float part[32];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += x[i] * y[i];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < blockDim.x / 32; ++w)
            sum += part[w];
        atomicAdd(out, sum);
    }
}
