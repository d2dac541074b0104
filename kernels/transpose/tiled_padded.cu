/*--- lanescope
title = "Transpose, a tile with one more column"

[params]
rows = { default = 40, min = 0, max = 32768 }
cols = { default = 70, min = 0, max = 32768, label = "columns" }

[buffers]
in  = { type = "int", shape = ["rows", "cols"], init = "iota" }
out = { type = "int", shape = ["cols", "rows"] }

[[launch]]
kernel = "transpose"
grid   = ["max(1, ceil_div(cols, 32))", "max(1, ceil_div(rows, 32))"]
block  = ["32", "32"]
args   = ["in", "out", "rows", "cols"]

[[expect]]
buffer = "out"
equals = "transpose(in)"
---*/
const int TILE = 32;

__global__ void transpose(const int* in, int* out, int rows, int cols) {
    __shared__ int s[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;

    int col = blockIdx.x * TILE + x;
    int row = blockIdx.y * TILE + y;
    if (row < rows && col < cols)
        s[y][x] = in[row * cols + col];
    __syncthreads();

    col = blockIdx.x * TILE + y;
    row = blockIdx.y * TILE + x;
    if (row < rows && col < cols)
        out[col * rows + row] = s[x][y];
}
