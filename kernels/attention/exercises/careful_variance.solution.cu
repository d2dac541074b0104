/*--- lanescope
title = "A careful variance"
exercise = "attention/careful_variance"

[params]
rows  = { default = 2, min = 0, max = 65536 }
cols  = { default = 64, min = 0, max = 65536, label = "columns" }
block = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in    = { type = "float", shape = ["rows", "cols"], init = "random(0, 9)" }
gamma = { type = "float", count = "cols", values = [1, 1, 1, 2] }
beta  = { type = "float", count = "cols", values = [0, 0, 3, 0] }
out   = { type = "float", shape = ["rows", "cols"] }

[arrays]
in  = { view = "cells" }
out = { view = "cells" }

[[launch]]
kernel = "layer_norm"
grid   = ["max(1, ceil_div(32 * rows, block))"]
block  = ["block"]
args   = ["in", "gamma", "beta", "out", "rows", "cols"]

[[expect]]
buffer = "out"
equals = "layer_norm(in, gamma, beta)"
---*/
const unsigned whole_warp = 0xffffffff;

__global__ void layer_norm(const float* in, const float* gamma, const float* beta, float* out, int rows, int cols) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;  // one warp a row
    int lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    in += (size_t)row * cols;
    out += (size_t)row * cols;

    float mean = 0;
    for (int i = lane; i < cols; i += 32)
        mean += in[i];
    for (int stride = 16; stride >= 1; stride /= 2)
        mean += __shfl_xor_sync(whole_warp, mean, stride);
    mean /= cols;

    float variance = 0;
    for (int i = lane; i < cols; i += 32)
        variance += (in[i] - mean) * (in[i] - mean);
    for (int stride = 16; stride >= 1; stride /= 2)
        variance += __shfl_xor_sync(whole_warp, variance, stride);
    variance /= cols;

    float scale = rsqrtf(variance + 1e-5f);
    for (int i = lane; i < cols; i += 32)
        out[i] = (in[i] - mean) * scale * gamma[i] + beta[i];
}
