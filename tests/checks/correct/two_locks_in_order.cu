/*--- lanescope
title = "Two locks, taken in one order"

[buffers]
locks = { type = "int", count = "2", init = "zero" }
money = { type = "int", count = "2", init = "constant(10)" }

[[launch]]
kernel = "transfer"
grid   = ["4"]
block  = ["1"]
args   = ["locks", "money"]

[[expect]]
buffer = "money"
values = [10, 10]
---*/
__device__ void lock(int* mutex) {
    while (atomicCAS(mutex, 0, 1) != 0) {
    }
    __threadfence();
}
__device__ void unlock(int* mutex) {
    __threadfence();
    atomicExch(mutex, 0);
}
__global__ void transfer(int* locks, int* money) {
    unsigned from = blockIdx.x % 2, to = 1 - from;
    lock(&locks[0]);
    lock(&locks[1]);
    money[from] -= 1;
    money[to] += 1;
    unlock(&locks[1]);
    unlock(&locks[0]);
}
