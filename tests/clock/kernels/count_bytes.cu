/*--- lanescope
title = "A histogram of 256 bins in shared memory"

[params]
n = { default = 1000 }
block = { default = 256 }
blocks = { default = 264 }

[buffers]
in = { type = "uchar", count = "n", init = "random(0, 255)" }
out = { type = "uint", count = "256", init = "zero" }

[[launch]]
kernel = "count"
grid   = ["blocks"]
block  = ["block"]
args   = ["n", "in", "out"]
---*/
__global__ void count(int n, const unsigned char* in, unsigned* out) {
    __shared__ unsigned s[256];
    s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&s[in[i]], 1);
    __syncthreads();
    atomicAdd(&out[threadIdx.x], s[threadIdx.x]);
}
