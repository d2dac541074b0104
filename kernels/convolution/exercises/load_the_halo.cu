/*--- lanescope
title = "Load the halo"
exercise = "convolution/load_the_halo"

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
shared = "(block + width - 1) * 4"
args   = ["in", "mask", "out", "n", "width"]

[[expect]]
buffer = "out"
equals = "convolve(in, mask)"
---*/
__global__ void convolve(const int* in, const int* mask, int* out, int n, int width) {
    extern __shared__ int s[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    int from = i - width / 2;
    s[t] = from >= 0 && from < n ? in[from] : 0;
    // TODO: the other width - 1 cells of the tile
    __syncthreads();

    if (i < n) {
        int sum = 0;
        for (int k = 0; k < width; ++k)
            sum += s[t + k] * mask[k];
        out[i] = sum;
    }
}
