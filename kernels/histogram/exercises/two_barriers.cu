/*--- lanescope
title = "Two barriers"
exercise = "histogram/two_barriers"

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
    __shared__ unsigned s[7];
    unsigned t = threadIdx.x;
    if (t < 7)
        s[t] = 0;

    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        int letter = in[i] - 'a';
        if (letter >= 0 && letter < 26)
            atomicAdd(&s[letter / 4], 1);
    }

    if (t < 7)
        atomicAdd(&out[t], s[t]);
}
