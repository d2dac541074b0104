/*--- lanescope
title = "The cluster's barrier and its numbers"
arch = "sm_90"

[buffers]
out = { type = "int", count = "128" }

[[launch]]
kernel = "pass"
grid   = ["2"]
block  = ["64"]
args   = ["out"]
---*/
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void pass(int* out) {
    __shared__ int values[64];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x;
    values[t] = t + (int)cluster.block_rank() + (int)cluster.num_blocks();
    cluster.sync();
    int* there = cluster.map_shared_rank(values, 0);
    out[blockIdx.x * 64 + t] = there[63 - t];
    cluster.sync();
}
