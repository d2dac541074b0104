/*--- lanescope
title = "Fix the race"
exercise = "histogram/fix_the_race"

[params]
n      = { default = 164, min = 1, max = 100000, label = "characters n" }
blocks = { default = 2, min = 1, max = 64, label = "blocks" }
block  = { default = 64, choices = [32, 64, 128], label = "block size" }

[buffers]
in  = { type = "char", count = "n", text = "programming massively parallel processors" }
out = { type = "uint", count = "7", init = "zero" }

[[launch]]
kernel = "histogram"
grid   = ["blocks"]
block  = ["block"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "letter_histogram(in, 4)"
---*/
// Seven bins of four letters: a to d, e to h, ... y and z.
__global__ void histogram(const char* in, unsigned* out, unsigned n) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int letter = in[i] - 'a';
        if (letter >= 0 && letter < 26)
            out[letter / 4] = out[letter / 4] + 1;
    }
}
