/*--- lanescope
title = "A warp leaves behind the barrier that the others wait for"

[buffers]
in  = { type = "int", count = "128", init = "iota" }
out = { type = "int", count = "128" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["96"]
args   = ["in", "out"]

[[expect]]
problems = ["barrier_divergence"]
---*/
// Finds: barrier_divergence (a) (b)
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void k(const int* in, int* out) {
    int t = threadIdx.x;
    if (t / 32 == 1) {
        out[t] = in[t] * 2;
    } else {
        out[t] = in[t];
        cg::sync(cg::this_thread_block());  // (a)
    }
    if (t < 8) out[t + 96] = 0;
}  // (b)
