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
__global__ void pass(int* out) {
    __shared__ int values[64];
    int t = threadIdx.x;
    values[t] = t + (int)__clusterRelativeBlockRank() + (int)__clusterSizeInBlocks();
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
    int* there = (int*)__cluster_map_shared_rank(values, 0);
    out[blockIdx.x * 64 + t] = there[63 - t];
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
}
