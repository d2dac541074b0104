/*--- lanescope
title = "A total is read while other blocks still add to it"

[buffers]
total = { type = "int", count = "1", init = "zero" }
out   = { type = "int", count = "4" }

[[launch]]
kernel = "count"
grid   = ["4"]
block  = ["64"]
args   = ["total", "out"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (b)
__global__ void count(int* total, int* out) {
    atomicAdd(total, 1);                                // (a)
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = *total;     // (b)
}
