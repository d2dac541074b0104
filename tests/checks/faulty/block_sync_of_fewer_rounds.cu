/*--- lanescope
title = "A warp leaves the loop with block.sync() a round too early"

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
    int t = threadIdx.x, sum = 0;
    for (int round = 0; round < 2 + t / 32; ++round) {
        sum += in[t];
        block.sync();  // (a)
    }
    out[t] = sum;
}  // (b)
