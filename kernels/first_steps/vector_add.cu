/*--- lanescope
title = "Vector addition"

[params]
n     = { default = 5, min = 0, max = 268435456, label = "elements n" }
block = { default = 3, min = 1, max = 1024, label = "block size" }

[buffers]
a = { type = "int", count = "n", init = "iota(1)" }
b = { type = "int", count = "n", init = "iota(10, 10)" }
c = { type = "int", count = "n" }

[[launch]]
kernel = "add"
grid   = ["max(1, ceil_div(n, block))"]
block  = ["block"]
args   = ["a", "b", "c", "n"]

[[expect]]
buffer = "c"
equals = "add(a, b)"
---*/
__global__ void add(const int* a, const int* b, int* c, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
