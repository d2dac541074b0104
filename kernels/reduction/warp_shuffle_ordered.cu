/*--- lanescope
title = "Warp shuffle, ordered operator"

[params]
n     = { default = 9, min = 0, max = 268435456, label = "elements n" }
block = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in        = { type = "uint2", count = "n", values = [10, 1, 10, 2, 10, 3, 10, 4, 10, 5, 10, 6, 10, 7, 10, 8, 10, 9] }
out       = { type = "uint2", count = "max(1, ceil_div(n, block)) * block / 32" }
scrambled = { type = "uint2", count = "max(1, ceil_div(n, block)) * block / 32" }

[[launch]]
kernel = "ordered"
grid   = ["max(1, ceil_div(n, block))"]
block  = ["block"]
args   = ["in", "out", "n"]

[[launch]]
kernel = "halving"
grid   = ["max(1, ceil_div(n, block))"]
block  = ["block"]
args   = ["in", "scrambled", "n"]

[[expect]]
buffer = "out"
equals = "block_compose(in, 32)"
---*/
// (10, d) writes the digit d behind a number x: 10 * x + d. compose applies a first, then b: the order matters.
__device__ uint2 compose(uint2 a, uint2 b) {
    return make_uint2(b.x * a.x, b.x * a.y + b.y);
}

__global__ void ordered(const uint2* in, uint2* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    uint2 map = i < n ? in[i] : make_uint2(1, 0);

    for (unsigned stride = 1; stride <= 16; stride *= 2) {
        uint2 next;
        next.x = __shfl_down_sync(0xffffffff, map.x, stride);
        next.y = __shfl_down_sync(0xffffffff, map.y, stride);
        map = compose(map, next);
    }

    if (threadIdx.x % 32 == 0)
        out[i / 32] = map;
}

// "Warp shuffle" with this operator. It combines lanes 16 apart first, so its result differs.
__global__ void halving(const uint2* in, uint2* scrambled, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    uint2 map = i < n ? in[i] : make_uint2(1, 0);

    for (unsigned stride = 16; stride >= 1; stride /= 2) {
        uint2 far;
        far.x = __shfl_down_sync(0xffffffff, map.x, stride);
        far.y = __shfl_down_sync(0xffffffff, map.y, stride);
        map = compose(map, far);
    }

    if (threadIdx.x % 32 == 0)
        scrambled[i / 32] = map;
}
