/*--- lanescope
title = "A texture takes care of the border"

[params]
n     = { default = 32, min = 5, max = 65536, label = "elements n" }
width = { default = 5, choices = [1, 3, 5, 7, 9], label = "mask width" }
block = { default = 32, choices = [32, 64, 128, 256], label = "block size" }

[buffers]
in       = { type = "float", count = "n", init = "iota(1, 1)" }
mask     = { type = "float", count = "width", values = [1, 2, 3, 2, 1] }
zeros    = { type = "float", count = "n" }
clamped  = { type = "float", count = "n" }
mirrored = { type = "float", count = "n" }
wrapped  = { type = "float", count = "n" }

[textures]
with_zeros  = { buffer = "in", address = "border", normalized = true }
with_clamp  = { buffer = "in", address = "clamp", normalized = true }
with_mirror = { buffer = "in", address = "mirror", normalized = true }
with_wrap   = { buffer = "in", address = "wrap", normalized = true }

[[launch]]
kernel = "convolve"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["with_zeros", "mask", "zeros", "n", "width"]

[[launch]]
kernel = "convolve"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["with_clamp", "mask", "clamped", "n", "width"]

[[launch]]
kernel = "convolve"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["with_mirror", "mask", "mirrored", "n", "width"]

[[launch]]
kernel = "convolve"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["with_wrap", "mask", "wrapped", "n", "width"]

[[expect]]
buffer = "zeros"
equals = "convolve(in, mask)"

[[expect]]
buffer = "clamped"
equals = "convolve_clamp(in, mask)"

[[expect]]
buffer = "wrapped"
equals = "convolve_wrap(in, mask)"
---*/
__global__ void convolve(cudaTextureObject_t row, const float* mask, float* out, int n, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    float sum = 0;
    for (int k = 0; k < width; ++k) {
        float middle = i + k - width / 2 + 0.5f;  // of the element
        float element = tex1D<float>(row, middle / n);
        sum += element * mask[k];
    }
    out[i] = sum;
}
