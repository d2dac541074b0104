/*--- lanescope
title = "A block of warps"

[params]
n     = { default = 128, min = 0, max = 268435456, label = "elements n" }
block = { default = 128, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "max(1, ceil_div(n, block))" }

[[launch]]
kernel = "reduce"
grid   = ["max(1, ceil_div(n, block))"]
block  = ["block"]
shared = "block * 4"
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "block_sums(in, block)"
---*/
// Adds up the 32 cells of a warp into the first one.
__device__ void reduce_warp(int* s, unsigned lane) {
    for (unsigned stride = 16; stride >= 1; stride /= 2) {
        __syncwarp();
        if (lane < stride)
            s[lane] += s[lane + stride];
    }
}

__global__ void reduce(const int* in, int* out, unsigned n) {
    extern __shared__ int s[];
    __shared__ int sums[32];
    unsigned t = threadIdx.x, warp = t / 32, lane = t % 32;
    unsigned i = blockIdx.x * blockDim.x + t;

    s[t] = i < n ? in[i] : 0;
    reduce_warp(s + 32 * warp, lane);
    if (lane == 0)
        sums[warp] = s[t];

    __syncthreads();
    if (warp == 0) {
        s[lane] = lane < blockDim.x / 32 ? sums[lane] : 0;
        reduce_warp(s, lane);
        if (lane == 0)
            out[blockIdx.x] = s[0];
    }
}
