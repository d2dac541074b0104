/*--- lanescope
title = "A queue of work without the second barrier"

[params]
n      = { default = 16, min = 1, max = 1048576, label = "items n" }
blocks = { default = 4, min = 1, max = 65536, label = "blocks" }
block  = { default = 64, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
cost = { type = "int", count = "n", values = [640, 64, 64, 64] }
out  = { type = "int", count = "n", init = "zero" }
next = { type = "uint", count = "1", init = "zero" }

[[launch]]
kernel = "work_queue"
grid   = ["blocks"]
block  = ["block"]
args   = ["cost", "out", "next", "n"]

[[expect]]
problems = ["race"]
---*/
// The first c odd numbers add up to c * c.
__device__ void work(unsigned item, const int* cost, int* out) {
    for (unsigned k = threadIdx.x; k < cost[item]; k += blockDim.x)
        atomicAdd(&out[item], 2 * k + 1);
}

__global__ void work_queue(const int* cost, int* out, unsigned* next, unsigned n) {
    __shared__ unsigned item;
    while (true) {
        bool empty = false;
        if (threadIdx.x == 0) {
            item = atomicAdd(next, 1);
            empty = item >= n;
        }
        if (__syncthreads_or(empty))
            break;
        unsigned mine = item;  // perhaps already the next item
        if (mine < n)
            work(mine, cost, out);
    }
}
