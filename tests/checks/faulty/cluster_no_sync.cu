/*--- lanescope
title = "Blocks of a cluster read each other's tile without waiting for it"
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
problems = ["race"]
---*/
// Finds: race (a) (b)
// Also: uninitialised (b)
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) pass_on(const int* in, int* out) {
    __shared__ int tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned t = threadIdx.x, i = blockIdx.x * 32 + t, other = 1 - cluster.block_rank();
    int* there = cluster.map_shared_rank(tile, other);
    cluster.sync();
    tile[t] = in[i];     // (a)
    __syncthreads();
    out[i] = there[t];   // (b)
    cluster.sync();
}
