/*--- lanescope
title = "Many blocks, one launch: the last block adds up"

[params]
n      = { default = 200, min = 0, max = 268435456, label = "elements n" }
blocks = { default = 4, min = 1, max = 65536, label = "blocks" }
block  = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in      = { type = "int", count = "n", init = "random(0, 9)" }
partial = { type = "int", count = "blocks" }
arrived = { type = "uint", count = "1", init = "zero" }
out     = { type = "int", count = "1" }
last    = { type = "uint", count = "1" }

[[launch]]
kernel = "reduce"
grid   = ["blocks"]
block  = ["block"]
shared = "block * 4"
args   = ["in", "partial", "arrived", "out", "last", "n"]

[[expect]]
buffer = "partial"
equals = "grid_sums(in, blocks, block)"

[[expect]]
buffer = "out"
equals = "sum(in)"
---*/
__device__ int sum_of_block(int sum) {
    extern __shared__ int s[];
    unsigned t = threadIdx.x;
    s[t] = sum;
    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        if (t < stride)
            s[t] += s[t + stride];
    }
    return s[t];  // the sum, in thread 0
}

__global__ void reduce(const int* in, int* partial, unsigned* arrived, int* out, unsigned* last, unsigned n) {
    unsigned t = threadIdx.x;
    int sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    sum = sum_of_block(sum);

    bool is_last = false;
    if (t == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();  // a thread that sees the counter also sees the partial sum
        is_last = atomicAdd(arrived, 1) == gridDim.x - 1;
    }
    if (!__syncthreads_or(is_last))
        return;

    __threadfence();
    sum = 0;
    for (unsigned i = t; i < gridDim.x; i += blockDim.x)
        sum += partial[i];
    sum = sum_of_block(sum);
    if (t == 0) {
        out[0] = sum;
        last[0] = blockIdx.x;
    }
}
