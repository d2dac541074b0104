/*--- lanescope
title = "The next item is fetched while others still use the last"

[buffers]
counter = { type = "int", count = "1", init = "zero" }
out     = { type = "int", count = "512", init = "zero" }

[[launch]]
kernel = "work"
grid   = ["2"]
block  = ["64"]
args   = ["counter", "out", "8"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (b) | race (a) (c)
// Also: unsynced_lanes (a) (b); unsynced_lanes (a) (c); uninitialised (b); out_of_bounds (c)
__global__ void work(int* counter, int* out, int items) {
    __shared__ int item;
    while (true) {
        if (threadIdx.x == 0)
            item = atomicAdd(counter, 1);             // (a)
        __syncthreads();
        if (item >= items) break;                     // (b)
        out[item * blockDim.x + threadIdx.x] = item;  // (c)
    }
}
