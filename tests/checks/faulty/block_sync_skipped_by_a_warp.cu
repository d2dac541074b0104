/*--- lanescope
title = "One warp skips block.sync()"

[buffers]
in  = { type = "int", count = "128", init = "iota" }
out = { type = "int", count = "128" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
problems = ["barrier_divergence"]
---*/
// Finds: barrier_divergence (a) (b)
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void k(const int* in, int* out) {
    cg::thread_block block = cg::this_thread_block();
    int t = threadIdx.x;
    if (t < 32) {
        out[t] = in[t];
        block.sync();  // (a)
    }
    out[t + 64] = in[t + 64];
}  // (b)
