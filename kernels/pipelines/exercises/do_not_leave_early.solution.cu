/*--- lanescope
title = "Do not leave early (solution)"
exercise = "pipelines/do_not_leave_early"
arch = "sm_90"

[params]
n = { default = 128, min = 64, max = 65536, label = "elements n, a multiple of 64" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 99)" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "swap_tiles"
grid   = ["n / 32"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "reverse(in, 64)"
---*/
#include <cooperative_groups.h>

__global__ void __cluster_dims__(2, 1, 1) swap_tiles(const int* in, int* out) {
    __shared__ int tile[32];
    auto cluster = cooperative_groups::this_cluster();
    unsigned t = threadIdx.x, i = blockIdx.x * 32 + t;
    unsigned other = 1 - cluster.block_rank();
    tile[t] = in[i];
    cluster.sync();
    out[i] = cluster.map_shared_rank(tile, other)[31 - t];
    cluster.sync();
}
