/*--- lanescope
title = "Four rules for the border of a row"

[params]
n     = { default = 32, min = 5, max = 268435456, label = "elements n" }
width = { default = 5, choices = [1, 3, 5, 7, 9], label = "mask width" }
block = { default = 32, choices = [32, 64, 128, 256], label = "block size" }

[buffers]
in       = { type = "int", count = "n", init = "iota(1, 1)" }
mask     = { type = "int", count = "width", values = [1, 2, 3, 2, 1] }
zeros    = { type = "int", count = "n" }
clamped  = { type = "int", count = "n" }
mirrored = { type = "int", count = "n" }
wrapped  = { type = "int", count = "n" }

[[launch]]
kernel = "convolve"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["in", "mask", "zeros", "n", "width", "0"]

[[launch]]
kernel = "convolve"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["in", "mask", "clamped", "n", "width", "1"]

[[launch]]
kernel = "convolve"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["in", "mask", "mirrored", "n", "width", "2"]

[[launch]]
kernel = "convolve"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["in", "mask", "wrapped", "n", "width", "3"]

[[expect]]
buffer = "zeros"
equals = "convolve(in, mask)"

[[expect]]
buffer = "clamped"
equals = "convolve_clamp(in, mask)"

[[expect]]
buffer = "mirrored"
equals = "convolve_mirror(in, mask)"

[[expect]]
buffer = "wrapped"
equals = "convolve_wrap(in, mask)"
---*/
enum Rule { ZERO, CLAMP, MIRROR, WRAP };

// Which element stands at position i of a row of n elements; -1: none, a zero.
__device__ int element(int i, int n, Rule rule) {
    if (i >= 0 && i < n)
        return i;
    switch (rule) {
        case CLAMP: return i < 0 ? 0 : n - 1;
        case MIRROR: return i < 0 ? -i : 2 * (n - 1) - i;
        case WRAP: return i < 0 ? i + n : i - n;
        default: return -1;
    }
}

__global__ void convolve(const int* in, const int* mask, int* out, int n, int width, Rule rule) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    int sum = 0;
    for (int k = 0; k < width; ++k) {
        int from = element(i + k - width / 2, n, rule);
        if (from >= 0)
            sum += in[from] * mask[k];
    }
    out[i] = sum;
}
