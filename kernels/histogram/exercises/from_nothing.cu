/*--- lanescope
title = "A histogram, from nothing"
exercise = "histogram/from_nothing"

[params]
n      = { default = 200, min = 1, max = 100000, label = "elements n" }
bins   = { default = 10, min = 1, max = 1024, label = "bins" }
width  = { default = 10, min = 1, max = 1000, label = "width of a bin" }
blocks = { default = 2, min = 1, max = 64, label = "blocks" }

[buffers]
in  = { type = "uint", count = "n", init = "random(0, 99)" }
out = { type = "uint", count = "bins", init = "zero" }

[[launch]]
kernel = "histogram"
grid   = ["blocks"]
block  = ["64"]
args   = ["in", "out", "n", "bins", "width"]

[[expect]]
buffer = "out"
equals = "histogram(in, width)"
---*/
__global__ void histogram(const unsigned* in, unsigned* out, unsigned n, unsigned bins, unsigned width) {
    // Write the kernel here.
}
