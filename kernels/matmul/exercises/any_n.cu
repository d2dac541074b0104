/*--- lanescope
title = "Tiles for any n"
exercise = "matmul/any_n"

[params]
n = { default = 40, min = 1, max = 256, label = "rows and columns n" }

[buffers]
a = { type = "float", shape = ["n", "n"], init = "random(0, 9)" }
b = { type = "float", shape = ["n", "n"], init = "random(0, 9)" }
c = { type = "float", shape = ["n", "n"] }

[[launch]]
kernel = "matmul"
grid   = ["ceil_div(n, 16)", "ceil_div(n, 16)"]
block  = ["16", "16"]
args   = ["a", "b", "c", "n"]

[[expect]]
buffer = "c"
equals = "matmul(a, b)"
---*/
const int TILE = 16;

__global__ void matmul(const float* a, const float* b, float* c, int n) {
    __shared__ float sa[TILE][TILE], sb[TILE][TILE];
    int x = threadIdx.x, col = blockIdx.x * TILE + x;
    int y = threadIdx.y, row = blockIdx.y * TILE + y;
    float sum = 0;
    for (int first = 0; first < n; first += TILE) {
        sa[y][x] = a[row * n + first + x];
        sb[y][x] = b[(first + y) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += sa[y][k] * sb[k][x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
