/*--- lanescope
title = "Double every element"

[params]                       # a person can change these
n     = { default = 40, min = 0, max = 100000, label = "elements" }
block = { default = 32, choices = [32, 64, 128] }

[buffers]                      # without an init, a buffer holds nothing until the kernel writes it
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "NAME"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["in", "out", "n"]

[[expect]]                     # what must stand in a buffer at the end
buffer = "out"
equals = "add(in, in)"
---*/
__global__ void NAME(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * in[i];
}
