/*--- lanescope
title = "Two locks, taken in two orders"

[buffers]
locks = { type = "int", count = "2", init = "zero" }
taken = { type = "int", count = "2", init = "zero" }

[[launch]]
kernel = "transfer"
grid   = ["2"]
block  = ["1"]
args   = ["locks", "taken"]

[[expect]]
problems = ["deadlock"]
---*/
// Finds: deadlock (a)
__device__ void lock(int* mutex) {
    while (atomicCAS(mutex, 0, 1) != 0) {  // (a)
    }
    __threadfence();
}
__global__ void transfer(int* locks, volatile int* taken) {
    unsigned mine = blockIdx.x, other = 1 - mine;
    lock(&locks[mine]);
    taken[mine] = 1;
    while (taken[other] == 0) {  // forces the unlucky timing
    }
    lock(&locks[other]);
    __threadfence();
    atomicExch(&locks[other], 0);
    atomicExch(&locks[mine], 0);
}
