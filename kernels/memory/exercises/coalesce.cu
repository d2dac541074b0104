/*--- lanescope
title = "Let neighbours read neighbours"
exercise = "memory/coalesce"

[params]
n     = { default = 256, min = 128, max = 100000, label = "elements n, a multiple of 4 blocks" }
block = { default = 32, choices = [32, 64, 128], label = "block size" }

[buffers]
a = { type = "int", count = "n", init = "random(0, 99)" }
b = { type = "int", count = "n", init = "random(0, 99)" }
c = { type = "int", count = "n" }

[[launch]]
kernel = "add"
grid   = ["ceil_div(n, 4 * block)"]
block  = ["block"]
args   = ["a", "b", "c", "n"]

[[expect]]
buffer = "c"
equals = "add(a, b)"
---*/
__global__ void add(const int* a, const int* b, int* c, unsigned n) {
    unsigned first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (unsigned k = 0; k < 4; ++k) {
        unsigned i = first + k;
        if (i < n)
            c[i] = a[i] + b[i];
    }
}
