/*--- lanescope
title = "Many blocks, one launch, ordered operator"

[params]
n      = { default = 201, min = 0, max = 268435456, label = "elements n" }
blocks = { default = 4, min = 1, max = 65536, label = "blocks" }
block  = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in      = { type = "uint2", count = "n", init = "iota(1, 2)" }
partial = { type = "uint2", count = "blocks" }
arrived = { type = "uint", count = "1", init = "zero" }
out     = { type = "uint2", count = "1" }
last    = { type = "uint", count = "1" }

[[launch]]
kernel = "reduce"
grid   = ["blocks"]
block  = ["block"]
shared = "2 * block * 8"
args   = ["in", "partial", "arrived", "out", "last", "n"]

[[expect]]
buffer = "partial"
equals = "block_compose(in, max(1, ceil_div(n, blocks)))"

[[expect]]
buffer = "out"
equals = "compose(in)"
---*/
// A pair stands for the map x -> a.x * x + a.y. compose applies a first, then b: the order matters.
__device__ uint2 compose(uint2 a, uint2 b) {
    return make_uint2(b.x * a.x, b.x * a.y + b.y);
}

// Composes in[first] to in[end - 1] in this order. Thread 0 gets the result.
__device__ uint2 fold(const uint2* in, unsigned first, unsigned end) {
    extern __shared__ uint2 s[];
    unsigned t = threadIdx.x;
    s[t] = first + t < end ? in[first + t] : make_uint2(1, 0);
    for (first += blockDim.x; first < end; first += blockDim.x) {
        s[t + blockDim.x] = first + t < end ? in[first + t] : make_uint2(1, 0);
        __syncthreads();
        uint2 pair = compose(s[2 * t], s[2 * t + 1]);
        __syncthreads();
        s[t] = pair;
    }
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        if (t % (2 * stride) == 0)
            s[t] = compose(s[t], s[t + stride]);
    }
    return s[t];
}

__global__ void reduce(const uint2* in, uint2* partial, unsigned* arrived, uint2* out, unsigned* last, unsigned n) {
    unsigned t = threadIdx.x;
    unsigned section = (n + gridDim.x - 1) / gridDim.x;
    unsigned first = min(blockIdx.x * section, n);
    uint2 map = fold(in, first, min(first + section, n));

    bool is_last = false;
    if (t == 0) {
        partial[blockIdx.x] = map;
        __threadfence();  // a thread that sees the counter also sees the partial result
        is_last = atomicAdd(arrived, 1) == gridDim.x - 1;
    }
    if (!__syncthreads_or(is_last))
        return;

    __threadfence();
    map = fold(partial, 0, gridDim.x);
    if (t == 0) {
        out[0] = map;
        last[0] = blockIdx.x;
    }
}
