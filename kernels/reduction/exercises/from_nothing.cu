/*--- lanescope
title = "A sum, from nothing"
exercise = "reduction/from_nothing"

[params]
n     = { default = 100, min = 2, max = 100000, label = "elements n" }
block = { default = 32, choices = [32, 64, 128, 256], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "1" }

[[launch]]
kernel = "reduce"
grid   = ["1"]
block  = ["block"]
shared = "block * 4"
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "sum(in)"
---*/
__global__ void reduce(const int* in, int* out, unsigned n) {
    extern __shared__ int s[];
    // Write the kernel here.
}
