/*--- lanescope
title = "A sparse matrix times a vector, a warp a row"

[params]
rows = { default = 100 }
per_row = { default = 64 }
block = { default = 128 }

[buffers]
start = { type = "int", count = "rows + 1", init = "iota(0, per_row)" }
column = { type = "int", count = "rows * per_row", init = "random(0, rows - 1)" }
value = { type = "float", count = "rows * per_row", init = "random(0.0, 1.0)" }
x = { type = "float", count = "rows", init = "random(0.0, 1.0)" }
y = { type = "float", count = "rows" }

[[launch]]
kernel = "spmv"
grid   = ["ceil_div(32 * rows, block)"]
block  = ["block"]
args   = ["rows", "start", "column", "value", "x", "y"]
---*/
__global__ void spmv(int rows, const int* start, const int* column, const float* value, const float* x, float* y) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0;
    for (int k = start[row] + lane; k < start[row + 1]; k += 32)
        sum += value[k] * x[column[k]];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0) y[row] = sum;
}
