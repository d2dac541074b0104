/*--- lanescope
title = "Wait for the copies"
exercise = "matmul/wait_for_the_copies"
arch = "sm_80"

[params]
n = { default = 32, choices = [16, 32, 48, 64, 128], label = "rows and columns n" }

[buffers]
a = { type = "float", shape = ["n", "n"], init = "random(0, 9)" }
b = { type = "float", shape = ["n", "n"], init = "random(0, 9)" }
c = { type = "float", shape = ["n", "n"] }

[[launch]]
kernel = "matmul"
grid   = ["n / 16", "n / 16"]
block  = ["16", "16"]
args   = ["a", "b", "c", "n"]

[[expect]]
buffer = "c"
equals = "matmul(a, b)"
---*/
#include <cuda_pipeline.h>

const int TILE = 16;

__global__ void matmul(const float* a, const float* b, float* c, int n) {
    __shared__ float sa[2][TILE][TILE], sb[2][TILE][TILE];
    int x = threadIdx.x, col = blockIdx.x * TILE + x;
    int y = threadIdx.y, row = blockIdx.y * TILE + y;
    float sum = 0;
    for (int first = 0, next = 0; first <= n; first += TILE, next = 1 - next) {
        __syncthreads();
        if (first < n) {
            __pipeline_memcpy_async(&sa[next][y][x], &a[row * n + first + x], 4);
            __pipeline_memcpy_async(&sb[next][y][x], &b[(first + y) * n + col], 4);
            __pipeline_commit();
        }
        if (first > 0)
            for (int k = 0; k < TILE; ++k)
                sum += sa[1 - next][y][k] * sb[1 - next][k][x];
    }
    c[row * n + col] = sum;
}
