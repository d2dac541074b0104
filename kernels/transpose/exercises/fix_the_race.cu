/*--- lanescope
title = "Fix the race"
exercise = "transpose/fix_the_race"

[params]
rows = { default = 40, min = 1, max = 1024 }
cols = { default = 70, min = 1, max = 1024, label = "columns" }

[buffers]
in  = { type = "int", shape = ["rows", "cols"], init = "random(0, 999)" }
out = { type = "int", shape = ["cols", "rows"] }

[[launch]]
kernel = "transpose"
grid   = ["ceil_div(cols, 32)", "ceil_div(rows, 32)"]
block  = ["32", "8"]
args   = ["in", "out", "rows", "cols"]

[[expect]]
buffer = "out"
equals = "transpose(in)"
---*/
const int TILE = 32;

__global__ void transpose(const int* in, int* out, int rows, int cols) {
    __shared__ int s[TILE][TILE + 1];
    int x = threadIdx.x;

    for (int y = threadIdx.y; y < TILE; y += blockDim.y) {
        int col = blockIdx.x * TILE + x;
        int row = blockIdx.y * TILE + y;
        if (row < rows && col < cols)
            s[y][x] = in[row * cols + col];
    }

    for (int y = threadIdx.y; y < TILE; y += blockDim.y) {
        int col = blockIdx.x * TILE + y;
        int row = blockIdx.y * TILE + x;
        if (row < rows && col < cols)
            out[col * rows + row] = s[x][y];
    }
}
