/*--- lanescope
title = "A histogram across the shared memories of a cluster"
arch = "sm_90"

[buffers]
in   = { type = "int", count = "128", init = "random(0, 63)" }
out  = { type = "int", count = "64", init = "zero" }

[[launch]]
kernel = "histogram"
grid   = ["2"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "histogram(in, 1)"
---*/
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) histogram(const int* in, int* out) {
    __shared__ int bins[32];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x;
    if (t < 32) bins[t] = 0;
    cluster.sync();

    int value = in[blockIdx.x * 64 + t];
    int* there = cluster.map_shared_rank(bins, value / 32);
    atomicAdd(&there[value % 32], 1);
    cluster.sync();

    if (t < 32) out[cluster.block_rank() * 32 + t] = bins[t];
}
