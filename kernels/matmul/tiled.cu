/*--- lanescope
title = "Matrix product, tiles in shared memory"

[params]
n = { default = 64, min = 0, max = 8192, label = "rows and columns n" }

[buffers]
a = { type = "float", shape = ["n", "n"], init = "random(0, 9)" }
b = { type = "float", shape = ["n", "n"], init = "random(0, 9)" }
c = { type = "float", shape = ["n", "n"] }

[[launch]]
kernel = "matmul"
grid   = ["max(1, ceil_div(n, 32))", "max(1, ceil_div(n, 32))"]
block  = ["32", "32"]
args   = ["a", "b", "c", "n"]

[[expect]]
buffer = "c"
equals = "matmul(a, b)"
---*/
const int TILE = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n) {
    __shared__ float sa[TILE][TILE], sb[TILE][TILE];
    int x = threadIdx.x, col = blockIdx.x * TILE + x;
    int y = threadIdx.y, row = blockIdx.y * TILE + y;
    float sum = 0;
    for (int first = 0; first < n; first += TILE) {
        sa[y][x] = row < n && first + x < n ? a[row * n + first + x] : 0;
        sb[y][x] = first + y < n && col < n ? b[(first + y) * n + col] : 0;
        __syncthreads();  // the tiles are complete
        for (int k = 0; k < TILE; ++k)
            sum += sa[y][k] * sb[k][x];
        __syncthreads();  // the tiles are used up
    }
    if (row < n && col < n)
        c[row * n + col] = sum;
}
