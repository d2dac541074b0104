/*--- lanescope
title = "The last block finishes the work"

[params]
n      = { default = 100, min = 0, max = 268435456, label = "elements n" }
blocks = { default = 4, min = 1, max = 65536, label = "blocks" }
block  = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in      = { type = "int", count = "n", init = "random(0, 9)" }
partial = { type = "int", count = "blocks" }
arrived = { type = "uint", count = "1", init = "zero" }
order   = { type = "uint", count = "blocks" }
out     = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "reduce"
grid   = ["blocks"]
block  = ["block"]
args   = ["in", "partial", "arrived", "order", "out", "n"]

[[expect]]
buffer = "partial"
equals = "grid_sums(in, blocks, block)"

[[expect]]
buffer = "arrived"
equals = "constant(blocks)"

[[expect]]
buffer = "out"
equals = "sum(in)"
---*/
__device__ void computePartial(const int* in, int* partial, unsigned n) {
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

__device__ void merge(const int* partial, int* out) {
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
        atomicAdd(out, partial[b]);
}

__global__ void reduce(const int* in, int* partial, unsigned* arrived, unsigned* order, int* out, unsigned n) {
    __shared__ bool last;
    computePartial(in, partial, n);
    if (threadIdx.x == 0) {
        __threadfence();
        unsigned place = atomicAdd(arrived, 1);
        __threadfence();
        order[place] = blockIdx.x;
        last = place == gridDim.x - 1;
    }
    __syncthreads();
    if (last)
        merge(partial, out);
}
