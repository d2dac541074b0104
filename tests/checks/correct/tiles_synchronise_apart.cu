/*--- lanescope
title = "Tiles of a warp synchronise in branches of their own"

[buffers]
in  = { type = "int", count = "128", init = "iota" }
out = { type = "int", count = "128" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]
---*/
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void k(const int* in, int* out) {
    __shared__ int tile[64];
    auto group = cg::tiled_partition<16>(cg::this_thread_block());
    int t = threadIdx.x, first = t / 16 * 16;
    tile[t] = in[t];
    if (t % 32 < 16) {
        group.sync();
        out[t] = tile[first + (t + 1) % 16];
    } else {
        group.sync();
        out[t] = tile[first + (t + 3) % 16];
    }
}
