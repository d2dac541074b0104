/*--- lanescope
title = "The result in every lane, in order (solution)"
exercise = "reduction/every_lane_in_order"
lane_label = "map.y"

[params]
n     = { default = 9, min = 0, max = 100000, label = "elements n" }
block = { default = 32, choices = [32, 64, 128], label = "block size" }

[buffers]
in    = { type = "uint2", count = "n", values = [10, 1, 10, 2, 10, 3, 10, 4, 10, 5, 10, 6, 10, 7, 10, 8, 10, 9] }
first = { type = "uint2", count = "max(1, ceil_div(n, block)) * block / 32" }
inner = { type = "uint2", count = "max(1, ceil_div(n, block)) * block / 32" }
last  = { type = "uint2", count = "max(1, ceil_div(n, block)) * block / 32" }

[[launch]]
kernel = "reduce"
grid   = ["max(1, ceil_div(n, block))"]
block  = ["block"]
args   = ["in", "first", "inner", "last", "n"]

[[expect]]
buffer = "first"
equals = "block_compose(in, 32)"

[[expect]]
buffer = "inner"
equals = "block_compose(in, 32)"

[[expect]]
buffer = "last"
equals = "block_compose(in, 32)"
---*/
// (10, d) writes the digit d behind a number x: 10 * x + d. compose applies a first, then b: the order matters.
__device__ uint2 compose(uint2 a, uint2 b) {
    return make_uint2(b.x * a.x, b.x * a.y + b.y);
}

__global__ void reduce(const uint2* in, uint2* first, uint2* inner, uint2* last, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    uint2 map = i < n ? in[i] : make_uint2(1, 0);

    for (unsigned stride = 1; stride <= 16; stride *= 2) {
        uint2 other;
        other.x = __shfl_xor_sync(0xffffffff, map.x, stride);
        other.y = __shfl_xor_sync(0xffffffff, map.y, stride);
        map = lane & stride ? compose(other, map) : compose(map, other);
    }

    if (lane == 0)
        first[i / 32] = map;
    if (lane == 10)
        inner[i / 32] = map;
    if (lane == 31)
        last[i / 32] = map;
}
