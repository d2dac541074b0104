/*--- lanescope
title = "One warp spins for what comes after the barrier"

[buffers]
ready = { type = "int", count = "1", init = "zero" }
out   = { type = "int", count = "64" }

[[launch]]
kernel = "wait"
grid   = ["1"]
block  = ["64"]
args   = ["ready", "out"]

[[expect]]
problems = ["deadlock"]
---*/
// Finds: deadlock (a) (b)
__global__ void wait(volatile int* ready, int* out) {
    unsigned t = threadIdx.x;
    if (t >= 32)
        while (*ready == 0) {  // (b)
        }
    __syncthreads();           // (a)
    if (t == 0) *ready = 1;
    out[t] = 1;
}
