/*--- lanescope
title = "Two launches, one kernel"
exercise = "cooperation/two_launches"

[params]
n      = { default = 100, min = 1, max = 100000, label = "elements n" }
blocks = { default = 4, min = 1, max = 64, label = "blocks" }

[buffers]
in      = { type = "int", count = "n", init = "random(0, 9)" }
partial = { type = "int", count = "blocks" }
out     = { type = "int", count = "1" }

[[launch]]
kernel = "reduce"
grid   = ["blocks"]
block  = ["64"]
args   = ["in", "partial", "n"]

[[launch]]
kernel = "reduce"
grid   = ["1"]
block  = ["64"]
args   = ["partial", "out", "blocks"]

[[expect]]
buffer = "out"
equals = "sum(in)"
---*/
__global__ void reduce(const int* in, int* out, unsigned n) {
    // Write the kernel here: out[blockIdx.x] is the sum of the elements that this block takes.
}
