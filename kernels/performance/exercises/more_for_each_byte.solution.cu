/*--- lanescope
title = "More work for each byte (solution)"
exercise = "performance/more_for_each_byte"

[params]
n = { default = 256, min = 1, max = 100000, label = "elements n" }

[buffers]
x        = { type = "int", count = "n", init = "random(0, 9)" }
y        = { type = "int", count = "n", init = "random(0, 9)" }
products = { type = "int", count = "n" }
out      = { type = "int", count = "n" }

[[launch]]
kernel = "axpy"
grid   = ["ceil_div(n, 64)"]
block  = ["64"]
args   = ["x", "y", "products", "out", "n"]

[[expect]]
buffer = "out"
equals = "axpy(3, x, y)"
---*/
__global__ void axpy(const int* x, const int* y, int* products, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 3 * x[i] + y[i];
}
