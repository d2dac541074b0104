/*--- lanescope
title = "The second barrier (solution)"
exercise = "cooperation/the_second_barrier"

[params]
n      = { default = 16, min = 1, max = 1000, label = "items n" }
blocks = { default = 4, min = 1, max = 64, label = "blocks" }

[buffers]
cost = { type = "int", count = "n", init = "random(1, 200)" }
out  = { type = "int", count = "n", init = "zero" }
next = { type = "uint", count = "1", init = "zero" }

[[launch]]
kernel = "work_queue"
grid   = ["blocks"]
block  = ["64"]
args   = ["cost", "out", "next", "n"]

[[expect]]
buffer = "out"
equals = "square(cost)"
---*/
// The first c odd numbers add up to c * c.
__device__ void work(unsigned item, const int* cost, int* out) {
    for (unsigned k = threadIdx.x; k < cost[item]; k += blockDim.x)
        atomicAdd(&out[item], 2 * k + 1);
}

__global__ void work_queue(const int* cost, int* out, unsigned* next, unsigned n) {
    __shared__ unsigned item;
    while (true) {
        if (threadIdx.x == 0)
            item = atomicAdd(next, 1);
        __syncthreads();
        unsigned mine = item;
        __syncthreads();
        if (mine >= n)
            break;
        work(mine, cost, out);
    }
}
