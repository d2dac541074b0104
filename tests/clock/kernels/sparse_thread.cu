/*--- lanescope
title = "A sparse matrix times a vector, a thread a row"

[params]
rows = { default = 100 }
per_row = { default = 16 }
block = { default = 128 }

[buffers]
start = { type = "int", count = "rows + 1", init = "iota(0, per_row)" }
column = { type = "int", count = "rows * per_row", init = "random(0, rows - 1)" }
value = { type = "float", count = "rows * per_row", init = "random(0.0, 1.0)" }
x = { type = "float", count = "rows", init = "random(0.0, 1.0)" }
y = { type = "float", count = "rows" }

[[launch]]
kernel = "spmv"
grid   = ["ceil_div(rows, block)"]
block  = ["block"]
args   = ["rows", "start", "column", "value", "x", "y"]
---*/
__global__ void spmv(int rows, const int* start, const int* column, const float* value, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    float sum = 0;
    for (int k = start[i]; k < start[i + 1]; ++k)
        sum += value[k] * x[column[k]];
    y[i] = sum;
}
