/*--- lanescope
title = "Correct the sum"
exercise = "attention/correct_the_sum"

[params]
rows  = { default = 2, min = 0, max = 65536 }
cols  = { default = 64, min = 0, max = 65536, label = "columns" }
block = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in  = { type = "float", shape = ["rows", "cols"], init = "random(90, 99)" }
out = { type = "float", shape = ["rows", "cols"] }

[arrays]
in  = { view = "cells" }
out = { view = "bars" }

[[launch]]
kernel = "softmax"
grid   = ["max(1, ceil_div(32 * rows, block))"]
block  = ["block"]
args   = ["in", "out", "rows", "cols"]

[[expect]]
buffer = "out"
equals = "softmax(in)"
---*/
const unsigned whole_warp = 0xffffffff;
constexpr float lowest = -3.402823e38f;

__global__ void softmax(const float* in, float* out, int rows, int cols) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;  // one warp a row
    int lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    in += (size_t)row * cols;
    out += (size_t)row * cols;

    float m = lowest, l = 0;  // the maximum so far, and the sum of exp(x - m)
    for (int i = lane; i < cols; i += 32) {
        float x = in[i], old = m;
        m = fmaxf(old, x);
        l = l * expf(old - m) + expf(x - m);
    }
    for (int stride = 16; stride >= 1; stride /= 2) {
        float old = m, other = __shfl_xor_sync(whole_warp, m, stride);
        m = fmaxf(old, other);
        l = l * expf(old - m) + __shfl_xor_sync(whole_warp, l, stride) * expf(other - m);
    }

    for (int i = lane; i < cols; i += 32)
        out[i] = expf(in[i] - m) / l;
}
