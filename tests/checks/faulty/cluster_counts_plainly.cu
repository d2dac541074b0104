/*--- lanescope
title = "All blocks of a cluster add to one of them plainly"
arch = "sm_90"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "1" }

[[launch]]
kernel = "k"
grid   = ["2"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (a)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) k(const int* in, int* out) {
    __shared__ int sum;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) sum = 0;
    cluster.sync();
    int* first = cluster.map_shared_rank(&sum, 0);
    if (threadIdx.x == 0) *first += in[blockIdx.x * 32];  // (a)
    cluster.sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) out[0] = sum;
}
