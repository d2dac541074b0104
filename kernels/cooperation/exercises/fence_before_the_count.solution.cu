/*--- lanescope
title = "A fence before the count (solution)"
exercise = "cooperation/fence_before_the_count"

[params]
n      = { default = 100, min = 1, max = 100000, label = "elements n" }
blocks = { default = 4, min = 1, max = 64, label = "blocks" }
block  = { default = 32, choices = [32, 64, 128], label = "block size" }

[buffers]
in      = { type = "int", count = "n", init = "random(0, 9)" }
partial = { type = "int", count = "blocks" }
arrived = { type = "uint", count = "1", init = "zero" }
out     = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "reduce"
grid   = ["blocks"]
block  = ["block"]
args   = ["in", "partial", "arrived", "out", "n"]

[[expect]]
buffer = "out"
equals = "sum(in)"
---*/
__device__ void compute_partial(const int* in, int* partial, unsigned n) {
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&sum, in[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

__global__ void reduce(const int* in, int* partial, unsigned* arrived, int* out, unsigned n) {
    __shared__ bool last;
    compute_partial(in, partial, n);
    if (threadIdx.x == 0) {
        __threadfence();
        unsigned place = atomicAdd(arrived, 1);
        __threadfence();
        last = place == gridDim.x - 1;
    }
    __syncthreads();
    if (last)
        for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
            atomicAdd(out, partial[b]);
}
