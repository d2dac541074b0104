/*--- lanescope
title = "Blocks that read each other's shared memory"
arch  = "sm_90"

[params]
n     = { default = 250, min = 0, max = 268435456, label = "elements n" }
block = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "max(1, ceil_div(n, 4 * block))" }

[arrays]
sum = { view = "bars" }

[[launch]]
kernel = "reduce"
grid   = ["4 * out.count"]
block  = ["block"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "block_sums(in, 4 * block)"
---*/
#include <cooperative_groups.h>

// Four blocks form a cluster, and out[k] is the sum of what cluster k reads.
__global__ void __cluster_dims__(4, 1, 1) reduce(const int* in, int* out, unsigned n) {
    __shared__ int sum;
    auto cluster = cooperative_groups::this_cluster();
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t == 0)
        sum = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&sum, in[i]);
    cluster.sync();  // every block's sum is complete
    if (cluster.block_rank() == 0 && t == 0) {
        int total = 0;
        for (unsigned rank = 0; rank < 4; ++rank)
            total += *cluster.map_shared_rank(&sum, rank);
        out[blockIdx.x / 4] = total;
    }
    cluster.sync();  // no block ends while its sum may be read
}
