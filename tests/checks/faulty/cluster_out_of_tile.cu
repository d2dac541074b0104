/*--- lanescope
title = "The last thread reads behind the tile of the next block of its cluster"
arch = "sm_90"

[buffers]
in  = { type = "int", count = "128", init = "iota" }
out = { type = "int", count = "128" }

[[launch]]
kernel = "pass_on"
grid   = ["4"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
problems = ["out_of_bounds"]
---*/
// Finds: out_of_bounds (a)
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) pass_on(const int* in, int* out) {
    __shared__ int tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned t = threadIdx.x, i = blockIdx.x * 32 + t, other = 1 - cluster.block_rank();
    tile[t] = in[i];
    cluster.sync();
    out[i] = cluster.map_shared_rank(tile, other)[t + 1];  // (a)
    cluster.sync();
}
