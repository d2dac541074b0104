/*--- lanescope
title = "Blocks of a cluster load, store and add in each other's shared memory"
arch = "sm_90"

[buffers]
out = { type = "int", count = "256" }
sums = { type = "int", count = "2" }

[[launch]]
kernel = "pass_on"
grid   = ["8"]
block  = ["32"]
args   = ["out", "sums"]
---*/
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) pass_on(int* out, int* sums) {
    __shared__ int values[32], given[32];
    __shared__ int sum;
    cg::cluster_group cluster = cg::this_cluster();
    const int t = threadIdx.x, rank = cluster.block_rank(), next = (rank + 1) % 4;
    values[t] = blockIdx.x * 100 + t;
    if (t == 0) sum = 0;
    cluster.sync();
    int* of_next = cluster.map_shared_rank(values, next);
    cluster.map_shared_rank(given, next)[31 - t] = values[t];
    if (rank != 0)
        atomicAdd(cluster.map_shared_rank(&sum, 0), of_next[t]);
    else
        atomicAdd(&sum, of_next[t]);
    cluster.sync();
    out[blockIdx.x * 32 + t] = given[t];
    if (rank == 0 && t == 0) sums[blockIdx.x / 4] = sum;
}
