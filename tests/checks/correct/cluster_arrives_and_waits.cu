/*--- lanescope
title = "Blocks of a cluster arrive and wait"
arch = "sm_90"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["2"]
block  = ["32"]
args   = ["in", "out"]
---*/
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) k(const int* in, int* out) {
    __shared__ int s[32];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[t] = in[i];
    cluster.barrier_arrive();
    cluster.barrier_wait();
    out[i] = cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[t];

    cluster.sync();
}
