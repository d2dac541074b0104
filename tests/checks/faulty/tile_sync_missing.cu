/*--- lanescope
title = "A tile of cooperative groups reads before its lanes have written"

[buffers]
in  = { type = "int", count = "128", init = "iota" }
out = { type = "int", count = "128" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
problems = ["unsynced_lanes"]
---*/
// Finds: unsynced_lanes (a) (b)
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void k(const int* in, int* out) {
    __shared__ int tile[64];
    auto group = cg::tiled_partition<16>(cg::this_thread_block());
    int t = threadIdx.x;
    tile[t] = in[t];  // (a)
    out[t] = tile[t / 16 * 16 + (group.thread_rank() + 1) % 16];  // (b)
}
