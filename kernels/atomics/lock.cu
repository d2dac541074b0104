/*--- lanescope
title = "A lock"

[params]
n     = { default = 8, min = 1, max = 4096, label = "elements n" }
block = { default = 8, min = 1, max = 1024, label = "block size" }

[buffers]
in    = { type = "int", count = "n", values = [3, 1, 7, 0, 4, 1, 6, 3] }
lock  = { type = "int", count = "1", init = "zero" }
best  = { type = "int", count = "1", init = "constant(-1)" }
place = { type = "int", count = "1", init = "constant(-1)" }

[[launch]]
kernel = "largest"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["in", "n", "lock", "best", "place"]

[[expect]]
buffer = "best"
equals = "max(in)"
---*/
__global__ void largest(const int* in, unsigned n, int* lock, int* best, unsigned* place) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    bool waiting = i < n;
    while (waiting) {
        if (atomicCAS(lock, 0, 1) == 0) {  // the lock was free, and this thread has it
            __threadfence();
            if (in[i] > *best) {
                *best = in[i];
                *place = i;
            }
            __threadfence();
            atomicExch(lock, 0);
            waiting = false;
        }
    }
}
