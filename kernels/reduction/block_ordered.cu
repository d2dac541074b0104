/*--- lanescope
title = "One block, any n, ordered operator"

[params]
n     = { default = 200, min = 0, max = 268435456, label = "elements n" }
block = { default = 64, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in    = { type = "uint2", count = "n", init = "iota(1, 2)" }
out   = { type = "uint2", count = "1" }
wrong = { type = "uint2", count = "1" }

[[launch]]
kernel = "ordered"
grid   = ["1"]
block  = ["block"]
shared = "2 * block * 8"
args   = ["in", "out", "n"]

[[launch]]
kernel = "sequential"
grid   = ["1"]
block  = ["block"]
shared = "block * 8"
args   = ["in", "wrong", "n"]

[[expect]]
buffer = "out"
equals = "compose(in)"
---*/
// A pair stands for the map x -> a.x * x + a.y. compose applies a first, then b: the order matters.
__device__ uint2 compose(uint2 a, uint2 b) {
    return make_uint2(b.x * a.x, b.x * a.y + b.y);
}

__global__ void ordered(const uint2* in, uint2* out, unsigned n) {
    extern __shared__ uint2 s[];
    unsigned t = threadIdx.x;
    s[t] = t < n ? in[t] : make_uint2(1, 0);

    for (unsigned i = t + blockDim.x; i - t < n; i += blockDim.x) {
        s[t + blockDim.x] = i < n ? in[i] : make_uint2(1, 0);
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

    if (t == 0)
        out[0] = s[0];
}

// "One block, any n" with this operator. It combines in another order, so its result differs.
__global__ void sequential(const uint2* in, uint2* wrong, unsigned n) {
    extern __shared__ uint2 s[];
    unsigned t = threadIdx.x;
    uint2 map = make_uint2(1, 0);
    for (unsigned i = t; i < n; i += blockDim.x)
        map = compose(map, in[i]);
    s[t] = map;

    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        if (t < stride)
            s[t] = compose(s[t], s[t + stride]);
    }

    if (t == 0)
        wrong[0] = s[0];
}
