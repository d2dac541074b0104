/*--- lanescope
title = "Prefix sum, every thread for itself"

[params]
n     = { default = 8, min = 0, max = 65536, label = "elements n" }
block = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in  = { type = "int", count = "n", values = [3, 1, 7, 0, 4, 1, 6, 3] }
out = { type = "int", count = "n" }

[[launch]]
kernel = "scan"
grid   = ["max(1, ceil_div(n, block))"]
block  = ["block"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "prefix_inclusive(in)"
---*/
__global__ void scan(const int* in, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int sum = 0;
        for (unsigned k = 0; k <= i; ++k)
            sum += in[k];
        out[i] = sum;
    }
}
