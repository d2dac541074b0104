/*--- lanescope
title = "Clusters of two by two blocks; arrivals before the wait"
arch = "sm_90"

[buffers]
out = { type = "int", count = "512" }

[[launch]]
kernel = "meet"
grid   = ["4", "2"]
block  = ["64"]
args   = ["out"]
---*/
__global__ void __cluster_dims__(2, 2, 1) meet(int* out) {
    __shared__ int values[64];
    const int t = threadIdx.x, block = blockIdx.y * gridDim.x + blockIdx.x;
    const unsigned rank = __clusterRelativeBlockRank();
    values[t] = block * 64 + t;
    __cluster_barrier_arrive();
    int sum = values[t];
    __cluster_barrier_wait();
    for (unsigned other = 0; other < 4; ++other) {
        if (other == rank) continue;
        const int* there = (const int*)__cluster_map_shared_rank(values, other);
        sum += there[63 - t] * (t % 2 == 0 ? 1 : 2);
    }
    out[block * 64 + t] = sum;
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
}
