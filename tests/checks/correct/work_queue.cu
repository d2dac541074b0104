/*--- lanescope
title = "A barrier between two items of the queue"

[buffers]
counter = { type = "int", count = "1", init = "zero" }
out     = { type = "int", count = "512", init = "zero" }

[[launch]]
kernel = "work"
grid   = ["2"]
block  = ["64"]
args   = ["counter", "out", "8"]
---*/
__global__ void work(int* counter, int* out, int items) {
    __shared__ int item;
    while (true) {
        if (threadIdx.x == 0)
            item = atomicAdd(counter, 1);
        __syncthreads();
        if (item >= items) break;
        out[item * blockDim.x + threadIdx.x] = item;
        __syncthreads();
    }
}
