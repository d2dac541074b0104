/*--- lanescope
title = "The middle of an element"
exercise = "convolution/middle_of_an_element"

[params]
height = { default = 5, min = 1, max = 200, label = "rows" }
width  = { default = 12, min = 1, max = 200, label = "columns" }
size   = { default = 3, choices = [1, 3, 5], label = "mask size" }

[buffers]
in   = { type = "float", shape = ["height", "width"], init = "random(1, 9)" }
mask = { type = "float", shape = ["size", "size"], values = [1, 2, 1, 2, 4, 2, 1, 2, 1] }
out  = { type = "float", shape = ["height", "width"] }

[textures]
image = { buffer = "in", address = "clamp", filter = "linear" }

[[launch]]
kernel = "smooth"
grid   = ["ceil_div(width, 16)", "ceil_div(height, 4)"]
block  = ["16", "4"]
args   = ["image", "mask", "out", "height", "width", "size"]

[[expect]]
buffer = "out"
equals = "convolve_clamp(in, mask)"
---*/
__global__ void smooth(cudaTextureObject_t image, const float* mask, float* out, int height, int width, int size) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;

    float sum = 0;
    for (int dy = 0; dy < size; ++dy)
        for (int dx = 0; dx < size; ++dx)
            sum += tex2D<float>(image, x + dx - size / 2, y + dy - size / 2) * mask[dy * size + dx];
    out[y * width + x] = sum;
}
