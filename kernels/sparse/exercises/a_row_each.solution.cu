/*--- lanescope
title = "A row for each thread"
exercise = "sparse/a_row_each"

[params]
rows  = { default = 32, min = 0, max = 4194304 }
kinds = { default = 6, min = 1, max = 14, label = "lengths of rows: 1, 2, 4, … entries" }
cols  = { default = 64, min = 1, max = 4194304, label = "columns" }
block = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
offsets = { type = "int", count = "rows + 1", init = "each(i / kinds * (pow2(kinds) - 1) + pow2(i % kinds) - 1)" }
columns = { type = "int", count = "rows / kinds * (pow2(kinds) - 1) + pow2(rows % kinds) - 1", init = "each(i * 7919 % cols)" }
values  = { type = "float", count = "columns.count", init = "random(1, 9)" }
x       = { type = "float", count = "cols", init = "random(1, 9)" }
y       = { type = "float", count = "rows" }

[arrays]
columns = { shape = ["ceil_div(columns.count, pow2(kinds) - 1)", "pow2(kinds) - 1"] }
values  = { shape = ["ceil_div(columns.count, pow2(kinds) - 1)", "pow2(kinds) - 1"] }

[[launch]]
kernel = "multiply"
grid   = ["max(1, ceil_div(rows, block))"]
block  = ["block"]
args   = ["offsets", "columns", "values", "x", "y", "rows"]

[[expect]]
buffer = "y"
equals = "spmv(offsets, columns, values, x)"
---*/
__global__ void multiply(const int* offsets, const int* columns, const float* values, const float* x, float* y,
                         int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;

    float sum = 0;
    for (int i = offsets[row]; i < offsets[row + 1]; ++i)
        sum += values[i] * x[columns[i]];
    y[row] = sum;
}
