/*--- lanescope
title = "From the plate to the solid"
exercise = "stencil/in_space"

[params]
planes = { default = 6, min = 1, max = 1024 }
rows   = { default = 12, min = 1, max = 1024 }
cols   = { default = 30, min = 1, max = 1024, label = "columns" }

[buffers]
in  = { type = "float", shape = ["planes * rows", "cols"], init = "each(i / (rows * cols) % 2 * 64)" }
out = { type = "float", shape = ["planes * rows", "cols"] }

[arrays]
in  = { view = "image" }
out = { view = "image" }

[[launch]]
kernel = "heat"
grid   = ["ceil_div(cols, 32)", "ceil_div(rows, 8)", "planes"]
block  = ["32", "8"]
args   = ["in", "out", "planes", "rows", "cols"]

[[expect]]
buffer = "out"
equals = "heat(in, 1, planes)"
---*/
__global__ void heat(const float* in, float* out, int planes, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z;
    if (row >= rows || col >= cols)
        return;

    int plane = rows * cols;
    int i = z * plane + row * cols + col;
    float u = in[i];
    if (z > 0 && z < planes - 1 && row > 0 && row < rows - 1 && col > 0 && col < cols - 1)
        u += (in[i - plane] + in[i - cols] + in[i - 1] + in[i + 1] + in[i + cols] + in[i + plane] - 6 * u) / 8;
    out[i] = u;
}
