/*--- lanescope
title = "Warps that go through a loop a different number of times"

[buffers]
out = { type = "int", count = "2", init = "zero" }

[[launch]]
kernel = "rounds"
grid   = ["1"]
block  = ["64"]
args   = ["out"]

[[expect]]
problems = ["barrier_divergence", "race"]
---*/
// Finds: barrier_divergence (a) (b); race (c) (d)
__global__ void rounds(int* out) {
    __shared__ int done;
    unsigned warp = threadIdx.x / 32;
    if (threadIdx.x == 0) done = 0;
    for (unsigned k = 0; k <= warp; ++k)
        __syncthreads();       // (a)
    if (threadIdx.x == 63) done = 1;  // (c)
    __syncthreads();           // (b)
    if (threadIdx.x % 32 == 0) out[warp] = done;  // (d)
}
