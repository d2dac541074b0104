/*--- lanescope
title = "One warp, ordered operator"

[params]
n = { default = 32, min = 0, max = 268435456, label = "elements n" }

[buffers]
in  = { type = "uint2", count = "n", init = "iota(1, 2)" }
out = { type = "uint2", count = "max(1, ceil_div(n, 32))" }

[[launch]]
kernel = "reduce"
grid   = ["max(1, ceil_div(n, 32))"]
block  = ["32"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "block_compose(in, 32)"
---*/
// A pair stands for the map x -> a.x * x + a.y. compose applies a first, then b: the order matters.
__device__ uint2 compose(uint2 a, uint2 b) {
    return make_uint2(b.x * a.x, b.x * a.y + b.y);
}

__global__ void reduce(const uint2* in, uint2* out, unsigned n) {
    __shared__ uint2 s[32];
    unsigned lane = threadIdx.x;
    unsigned i = blockIdx.x * 32 + lane;
    s[lane] = i < n ? in[i] : make_uint2(1, 0);

    __syncwarp();  if (lane % 2 == 0) s[lane] = compose(s[lane], s[lane + 1]);
    __syncwarp();  if (lane % 4 == 0) s[lane] = compose(s[lane], s[lane + 2]);
    __syncwarp();  if (lane % 8 == 0) s[lane] = compose(s[lane], s[lane + 4]);
    __syncwarp();  if (lane % 16 == 0) s[lane] = compose(s[lane], s[lane + 8]);
    __syncwarp();  if (lane % 32 == 0) s[lane] = compose(s[lane], s[lane + 16]);

    if (lane == 0)
        out[blockIdx.x] = s[0];
}
