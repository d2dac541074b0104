/*--- lanescope
title = "A lock with fences"

[buffers]
mutex = { type = "int", count = "1", init = "zero" }
total = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "add"
grid   = ["8"]
block  = ["32"]
args   = ["mutex", "total"]

[[expect]]
buffer = "total"
values = [8]
---*/
__global__ void add(int* mutex, int* total) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(mutex, 0, 1) != 0) {
    }
    __threadfence();
    *total += 1;
    __threadfence();
    atomicExch(mutex, 0);
}
