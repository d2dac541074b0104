/*--- lanescope
title = "A halo that is wide enough"
exercise = "stencil/wide_enough"

[params]
rows  = { default = 20, min = 1, max = 16384 }
cols  = { default = 40, min = 1, max = 16384, label = "columns" }
steps = { default = 6, min = 1, max = 1000, label = "time steps" }
each  = { default = 3, choices = [1, 2, 3], label = "time steps in a launch" }
side  = { default = 16, choices = [8, 16, 32], label = "cells of a tile with its halo, in each direction" }

[buffers]
a = { type = "float", shape = ["rows", "cols"], init = "each(i / cols >= rows / 4 && i % cols < cols / 4 ? 64 : 0)" }
b = { type = "float", shape = ["rows", "cols"] }

[arrays]
a = { view = "image" }
b = { view = "image" }
s = { view = "image", shape = ["side", "side"] }

[[launch]]
kernel = "heat"
repeat = "done = 0; done < steps; done + each"
grid   = ["ceil_div(cols, side - 2 * min(each, steps - done))", "ceil_div(rows, side - 2 * min(each, steps - done))"]
block  = ["side", "side"]
shared = "side * side * 4"
args   = ["done / each % 2 ? b : a", "done / each % 2 ? a : b", "rows", "cols", "min(each, steps - done)"]

[[expect]]
buffer = "a"
equals = "heat(a, ceil_div(steps, each) % 2 ? (steps - 1) / each * each : steps)"

[[expect]]
buffer = "b"
equals = "heat(a, ceil_div(steps, each) % 2 ? steps : (steps - 1) / each * each)"
---*/
__global__ void heat(const float* in, float* out, int rows, int cols, int steps) {
    extern __shared__ float s[];
    int x = threadIdx.x, y = threadIdx.y, side = blockDim.x;
    int col = blockIdx.x * (side - 2 * steps) + x - steps;
    int row = blockIdx.y * (side - 2 * steps) + y - steps;
    int to_border = min(min(row, rows - 1 - row), min(col, cols - 1 - col));  // negative outside of the plate
    int to_edge = min(min(x, side - 1 - x), min(y, side - 1 - y));
    int last = to_border > 0 ? to_edge : 0;  // the last step whose result here is right

    int i = y * side + x;
    float u = to_border >= 0 ? in[row * cols + col] : 0;
    for (int step = 1; step <= steps; ++step) {
        s[i] = u;
        __syncthreads();
        if (step <= last)
            u += (s[i - side] + s[i - 1] + s[i + 1] + s[i + side] - 4 * u) / 8;
        __syncthreads();
    }
    if (to_border >= 0 && to_edge >= steps)
        out[row * cols + col] = u;
}
