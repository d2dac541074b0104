/*--- lanescope
title = "Make it work for any grid"
exercise = "first_steps/any_grid"

[params]
n      = { default = 200, min = 1, max = 100000, label = "elements n" }
blocks = { default = 2, min = 1, max = 64, label = "blocks" }
block  = { default = 32, choices = [32, 64, 128], label = "block size" }

[buffers]
a = { type = "int", count = "n", init = "random(0, 99)" }
b = { type = "int", count = "n", init = "random(0, 99)" }
c = { type = "int", count = "n" }

[[launch]]
kernel = "add"
grid   = ["blocks"]
block  = ["block"]
args   = ["a", "b", "c", "n"]

[[expect]]
buffer = "c"
equals = "add(a, b)"
---*/
__global__ void add(const int* a, const int* b, int* c, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)  // TODO: go on to further elements
        c[i] = a[i] + b[i];
}
