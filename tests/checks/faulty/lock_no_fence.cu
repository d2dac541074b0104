/*--- lanescope
title = "A lock without fences"

[buffers]
mutex = { type = "int", count = "1", init = "zero" }
total = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "add"
grid   = ["8"]
block  = ["1"]
args   = ["mutex", "total"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (a)
__global__ void add(int* mutex, int* total) {
    while (atomicCAS(mutex, 0, 1) != 0) {
    }
    *total += 1;  // (a)
    atomicExch(mutex, 0);
}
