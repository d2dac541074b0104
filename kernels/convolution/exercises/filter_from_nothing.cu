/*--- lanescope
title = "A filter of three, from nothing"
exercise = "convolution/filter_from_nothing"

[params]
n     = { default = 50, min = 1, max = 100000, label = "elements n" }
block = { default = 32, choices = [32, 64, 128], label = "block size" }

[buffers]
in   = { type = "int", count = "n", init = "random(1, 9)" }
mask = { type = "int", values = [1, 2, 1] }
out  = { type = "int", count = "n" }

[[launch]]
kernel = "filter"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "convolve(in, mask)"
---*/
__global__ void filter(const int* in, int* out, int n) {
    // Write the kernel here.
}
