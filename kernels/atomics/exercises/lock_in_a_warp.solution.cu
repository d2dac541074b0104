/*--- lanescope
title = "A lock that opens again (solution)"
exercise = "atomics/lock_in_a_warp"

[params]
n     = { default = 40, min = 1, max = 4096, label = "elements" }
block = { default = 32, min = 1, max = 1024, label = "block size" }

[buffers]
in   = { type = "int", count = "n", init = "random(1, 9)" }
lock = { type = "int", count = "1", init = "zero" }
out  = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "add"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["in", "out", "n", "lock"]

[[expect]]
buffer = "out"
equals = "sum(in)"
---*/
__global__ void add(const int* in, int* out, int n, int* lock) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool done = i >= n;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *out += in[i];
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
