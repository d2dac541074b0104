/*--- lanescope
title = "A product by compare and swap (solution)"
exercise = "atomics/compare_and_swap"

[params]
n     = { default = 20, min = 1, max = 100000, label = "elements n" }
block = { default = 64, choices = [32, 64, 128], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(1, 2)" }
out = { type = "int", values = [1] }

[[launch]]
kernel = "product"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "product(in)"
---*/
__device__ void atomicMul(int* address, int factor) {
    int seen = atomicAdd(address, 0);
    while (true) {
        int old = atomicCAS(address, seen, seen * factor);
        if (old == seen)
            return;
        seen = old;
    }
}

__global__ void product(const int* in, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicMul(out, in[i]);
}
