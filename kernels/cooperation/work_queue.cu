/*--- lanescope
title = "A queue of work"

[params]
n      = { default = 16, min = 0, max = 1048576, label = "items n" }
blocks = { default = 4, min = 1, max = 65536, label = "blocks" }
block  = { default = 64, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
cost       = { type = "int", count = "n", values = [640, 64, 64, 64] }
fixed      = { type = "int", count = "n", init = "zero" }
fixed_done = { type = "int", count = "blocks", init = "zero" }
queue      = { type = "int", count = "n", init = "zero" }
queue_done = { type = "int", count = "blocks", init = "zero" }
next       = { type = "uint", count = "1", init = "zero" }

[[launch]]
kernel = "work_fixed"
grid   = ["blocks"]
block  = ["block"]
args   = ["cost", "fixed", "fixed_done", "n"]

[[launch]]
kernel = "work_queue"
grid   = ["blocks"]
block  = ["block"]
args   = ["cost", "queue", "queue_done", "next", "n"]

[[expect]]
buffer = "fixed"
equals = "square(cost)"

[[expect]]
buffer = "queue"
equals = "square(cost)"
---*/
// The first c odd numbers add up to c * c.
__device__ void work(unsigned item, const int* cost, int* out, int* done) {
    for (unsigned k = threadIdx.x; k < cost[item]; k += blockDim.x)
        atomicAdd(&out[item], 2 * k + 1);
    if (threadIdx.x == 0)
        done[blockIdx.x] += cost[item];
}

__global__ void work_fixed(const int* cost, int* out, int* done, unsigned n) {
    for (unsigned item = blockIdx.x; item < n; item += gridDim.x)
        work(item, cost, out, done);
}

__global__ void work_queue(const int* cost, int* out, int* done, unsigned* next, unsigned n) {
    __shared__ unsigned item;
    while (true) {
        bool empty = false;
        if (threadIdx.x == 0) {
            item = atomicAdd(next, 1);
            empty = item >= n;
        }
        if (__syncthreads_or(empty))
            break;
        work(item, cost, out, done);
        __syncthreads();
    }
}
