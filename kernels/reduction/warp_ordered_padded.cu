/*--- lanescope
title = "One warp, ordered operator, all lanes compose"

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
    __shared__ uint2 s[32 + 16];  // 16 cells of padding
    unsigned lane = threadIdx.x;
    unsigned i = blockIdx.x * 32 + lane;
    uint2 map = i < n ? in[i] : make_uint2(1, 0);
    s[lane + 16] = make_uint2(1, 0);
    __syncwarp();

    s[lane] = map;  __syncwarp();  map = compose(map, s[lane + 1]);  __syncwarp();
    s[lane] = map;  __syncwarp();  map = compose(map, s[lane + 2]);  __syncwarp();
    s[lane] = map;  __syncwarp();  map = compose(map, s[lane + 4]);  __syncwarp();
    s[lane] = map;  __syncwarp();  map = compose(map, s[lane + 8]);  __syncwarp();
    s[lane] = map;  __syncwarp();  map = compose(map, s[lane + 16]);

    if (lane == 0)
        out[blockIdx.x] = map;
}
