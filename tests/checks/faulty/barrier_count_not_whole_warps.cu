/*--- lanescope
title = "A barrier for 48 threads"

[buffers]
out = { type = "int", count = "64" }

[[launch]]
kernel = "wait_for_48"
grid   = ["1"]
block  = ["64"]
args   = ["out"]

[[expect]]
problems = ["trap"]
---*/
// Finds: trap (a)
__global__ void wait_for_48(int* out) {
    unsigned count = 48;
    out[threadIdx.x] = 0;
    asm volatile("bar.sync 1, %0;" ::"r"(count) : "memory");  // (a)
    out[threadIdx.x] = 1;
}
