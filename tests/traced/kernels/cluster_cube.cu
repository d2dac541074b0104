/*--- lanescope
title = "Clusters of two by two by two blocks; addresses of the own block; atomic operations of 64 bits"
arch = "sm_90"

[buffers]
out = { type = "int", count = "512" }

[[launch]]
kernel = "cube"
grid = ["4", "2", "2"]
block = ["32"]
args = ["out"]
---*/
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 2, 2) cube(int* out) {
    __shared__ int values[32];
    __shared__ unsigned long long where[8];
    cg::cluster_group cluster = cg::this_cluster();
    const int t = threadIdx.x, block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    values[t] = block * 32 + t;
    if (t < 8) where[t] = 0;
    cluster.sync();
    if (t < 8) {
        unsigned long long* there = cluster.map_shared_rank(where, t) + cluster.block_rank();
        atomicMax(there, (unsigned long long)(block + 1));
    }
    cluster.sync();
    int sum = 0;
    for (unsigned r = 0; r < 8; ++r)
        sum += cluster.map_shared_rank(values, r)[31 - t] * (int)where[r];
    out[block * 32 + t] = sum;
    cluster.sync();
}
