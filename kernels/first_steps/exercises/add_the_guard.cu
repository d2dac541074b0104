/*--- lanescope
title = "Add the guard"
exercise = "first_steps/add_the_guard"

[params]
n     = { default = 100, min = 1, max = 100000, label = "elements n" }
block = { default = 32, choices = [32, 64, 128, 256], label = "block size" }

[buffers]
a = { type = "int", count = "n", init = "random(0, 99)" }
b = { type = "int", count = "n", init = "random(0, 99)" }
c = { type = "int", count = "n" }

[[launch]]
kernel = "add"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["a", "b", "c", "n"]

[[expect]]
buffer = "c"
equals = "add(a, b)"
---*/
__global__ void add(const int* a, const int* b, int* c, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}
