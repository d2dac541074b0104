/*--- lanescope
title = "Matrix multiplication with tiles"

[params]
n = { default = 16, min = 0, max = 8192, label = "rows and columns n" }

[buffers]
a = { type = "int", shape = ["n", "n"], init = "random(0, 9)" }
b = { type = "int", shape = ["n", "n"], init = "random(0, 9)" }
c = { type = "int", shape = ["n", "n"] }

[[launch]]
kernel = "matmul"
grid   = ["max(1, ceil_div(n, 8))", "max(1, ceil_div(n, 8))"]
block  = ["8", "8"]
args   = ["a", "b", "c", "n"]

[[expect]]
buffer = "c"
equals = "matmul(a, b)"
---*/
constexpr unsigned tile = 8;

__global__ void matmul(const int* a, const int* b, int* c, unsigned n) {
    __shared__ int sa[tile][tile], sb[tile][tile];
    unsigned x = threadIdx.x, col = blockIdx.x * tile + x;
    unsigned y = threadIdx.y, row = blockIdx.y * tile + y;
    int sum = 0;
    for (unsigned first = 0; first < n; first += tile) {
        sa[y][x] = row < n && first + x < n ? a[row * n + first + x] : 0;
        sb[y][x] = first + y < n && col < n ? b[(first + y) * n + col] : 0;
        __syncthreads();  // the tiles are complete
        for (unsigned k = 0; k < tile; ++k)
            sum += sa[y][k] * sb[k][x];
        __syncthreads();  // the tiles are used up
    }
    if (row < n && col < n)
        c[row * n + col] = sum;
}
