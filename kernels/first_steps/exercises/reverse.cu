/*--- lanescope
title = "Reverse an array, from nothing"
exercise = "first_steps/reverse"

[params]
n     = { default = 50, min = 1, max = 100000, label = "elements n" }
block = { default = 32, choices = [32, 64, 128], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 99)" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "reverse"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "reverse(in, n)"
---*/
__global__ void reverse(const int* in, int* out, unsigned n) {
    // Write the kernel here.
}
