/*--- lanescope
title = "The right operation (solution)"
exercise = "atomics/the_right_operation"

[params]
n     = { default = 100, min = 1, max = 100000, label = "elements n" }
block = { default = 64, choices = [32, 64, 128], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(-500, 500)" }
out = { type = "int", values = [2147483647] }

[[launch]]
kernel = "minimum"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "min(in)"
---*/
__global__ void minimum(const int* in, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicMin(out, in[i]);
}
