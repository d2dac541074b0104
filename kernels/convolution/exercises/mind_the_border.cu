/*--- lanescope
title = "Mind the border"
exercise = "convolution/mind_the_border"

[params]
n     = { default = 64, min = 1, max = 100000, label = "elements n" }
width = { default = 5, choices = [1, 3, 5, 7, 9], label = "mask width" }
block = { default = 32, choices = [16, 32, 64, 128], label = "block size" }

[buffers]
in   = { type = "int", count = "n", init = "random(1, 9)" }
mask = { type = "int", count = "width", values = [3, 4, 5, 4, 3, 2, 1, 1, 1] }
out  = { type = "int", count = "n" }

[[launch]]
kernel = "convolve"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["in", "mask", "out", "n", "width"]

[[expect]]
buffer = "out"
equals = "convolve(in, mask)"
---*/
__global__ void convolve(const int* in, const int* mask, int* out, int n, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    int first = i - width / 2;
    int sum = 0;
    for (int k = 0; k < width; ++k)
        sum += in[first + k] * mask[k];
    out[i] = sum;
}
