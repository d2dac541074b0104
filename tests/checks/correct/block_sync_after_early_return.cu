/*--- lanescope
title = "Threads that have nothing to do return before the first block.sync()"

[buffers]
in  = { type = "int", count = "128", init = "iota" }
out = { type = "int", count = "128" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["128"]
args   = ["in", "out"]
---*/
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void k(const int* in, int* out) {
    __shared__ int tile[96];
    int t = threadIdx.x;
    if (t >= 96) return;
    tile[t] = in[t];
    cg::this_thread_block().sync();
    out[t] = tile[95 - t];
}
