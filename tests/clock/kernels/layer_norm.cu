/*--- lanescope
title = "Mean 0 and variance 1 for each row, a warp a row"

[params]
rows = { default = 8 }
cols = { default = 256 }
block = { default = 128 }

[buffers]
in = { type = "float", count = "rows * cols", init = "random(0.0, 1.0)" }
out = { type = "float", count = "rows * cols" }

[[launch]]
kernel = "norm"
grid   = ["ceil_div(32 * rows, block)"]
block  = ["block"]
args   = ["rows", "cols", "in", "out"]
---*/
__global__ void norm(int rows, int cols, const float* in, float* out) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    in += row * cols, out += row * cols;
    float sum = 0, squares = 0;
    for (int i = lane; i < cols; i += 32) {
        float x = in[i];
        sum += x, squares += x * x;
    }
    for (int d = 16; d > 0; d /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, d);
        squares += __shfl_xor_sync(0xffffffff, squares, d);
    }
    float mean = sum / cols, scale = rsqrtf(squares / cols - mean * mean + 1e-5f);
    for (int i = lane; i < cols; i += 32)
        out[i] = (in[i] - mean) * scale;
}
