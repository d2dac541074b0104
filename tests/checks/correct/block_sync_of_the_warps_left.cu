/*--- lanescope
title = "The upper warps leave between two barriers"

[buffers]
in  = { type = "int", count = "128", init = "iota" }
out = { type = "int", count = "128" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["128"]
args   = ["in", "out"]
---*/
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int halved(cg::thread_block block, int* tile, int t, int half) {
    block.sync();
    return t < half ? tile[t] + tile[t + half] : 0;
}

__global__ void k(const int* in, int* out) {
    __shared__ int tile[128];
    cg::thread_block block = cg::this_thread_block();
    int t = threadIdx.x;
    tile[t] = in[t];
    int sum = halved(block, tile, t, 64);
    if (t >= 64) return;
    tile[t] = sum;
    block.sync();
    out[t] = tile[63 - t];
}
