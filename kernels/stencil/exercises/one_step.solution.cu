/*--- lanescope
title = "One time step"
exercise = "stencil/one_step"

[params]
rows  = { default = 16, min = 1, max = 16384 }
cols  = { default = 40, min = 1, max = 16384, label = "columns" }
steps = { default = 4, min = 1, max = 1000, label = "time steps" }

[buffers]
a = { type = "float", shape = ["rows", "cols"], init = "each(i / cols >= rows / 4 && i % cols < cols / 4 ? 64 : 0)" }
b = { type = "float", shape = ["rows", "cols"] }

[arrays]
a = { view = "image" }
b = { view = "image" }

[[launch]]
kernel = "heat"
repeat = "step = 0; step < steps; step + 1"
grid   = ["ceil_div(cols, 32)", "ceil_div(rows, 8)"]
block  = ["32", "8"]
args   = ["step % 2 ? b : a", "step % 2 ? a : b", "rows", "cols"]

[[expect]]
buffer = "a"
equals = "heat(a, steps / 2 * 2)"

[[expect]]
buffer = "b"
equals = "heat(a, (steps + 1) / 2 * 2 - 1)"
---*/
// One time step. The cells of the border keep their temperature.
__global__ void heat(const float* in, float* out, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols)
        return;

    int i = row * cols + col;
    float u = in[i];
    if (row > 0 && row < rows - 1 && col > 0 && col < cols - 1)
        u += (in[i - cols] + in[i - 1] + in[i + 1] + in[i + cols] - 4 * u) / 8;
    out[i] = u;
}
