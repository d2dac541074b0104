/*--- lanescope
title = "Tiles of 8 threads exchange data of 16"

[buffers]
in  = { type = "int", count = "32", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
problems = ["unsynced_lanes"]
---*/
// Finds: unsynced_lanes (a) (b)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const int* in, int* out) {
    __shared__ int s[32];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = in[t];  // (a)
    tile.sync();
    out[t] = s[t ^ 15];  // (b)
}
