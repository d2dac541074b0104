/*--- lanescope
title = "Atomic for the block, used by the grid"

[buffers]
count = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "tally"
grid   = ["8"]
block  = ["32"]
args   = ["count"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (a)
__global__ void tally(int* count) {
    atomicAdd_block(count, 1);  // (a)
}
