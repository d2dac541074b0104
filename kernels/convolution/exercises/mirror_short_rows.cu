/*--- lanescope
title = "A mirror at both ends"
exercise = "convolution/mirror_short_rows"

[params]
n     = { default = 20, min = 1, max = 100000, label = "elements n" }
width = { default = 5, choices = [1, 3, 5, 7, 9], label = "mask width" }
block = { default = 32, choices = [16, 32, 64, 128], label = "block size" }

[buffers]
in   = { type = "int", count = "n", init = "random(1, 9)" }
mask = { type = "int", count = "width", values = [1, 2, 4, 8, 16, 3, 5, 7, 9] }
out  = { type = "int", count = "n" }

[[launch]]
kernel = "convolve"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["in", "mask", "out", "n", "width"]

[[expect]]
buffer = "out"
equals = "convolve_mirror(in, mask)"
---*/
// Which element stands at position i, if the row is mirrored at its ends.
__device__ int mirrored(int i, int n) {
    return i < 0 ? -i : i;
}

__global__ void convolve(const int* in, const int* mask, int* out, int n, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    int first = i - width / 2;
    int sum = 0;
    for (int k = 0; k < width; ++k)
        sum += in[mirrored(first + k, n)] * mask[k];
    out[i] = sum;
}
