/*--- lanescope
title = "Matrix product, the next tile is on its way"
arch = "sm_80"

[params]
n = { default = 64, choices = [32, 64, 128, 256, 512, 1024, 2048, 4096, 8192], label = "rows and columns n" }

[buffers]
a = { type = "float", shape = ["n", "n"], init = "random(0, 9)" }
b = { type = "float", shape = ["n", "n"], init = "random(0, 9)" }
c = { type = "float", shape = ["n", "n"] }

[[launch]]
kernel = "matmul<32, 4>"
repeat = "r = n; r < 128; 128"
grid   = ["n / 32", "n / 32"]
block  = ["8", "8"]
args   = ["a", "b", "c", "n"]

[[launch]]
kernel = "matmul<128, 8>"
repeat = "r = n; r >= 128; 0"
grid   = ["max(1, n / 128)", "max(1, n / 128)"]
block  = ["16", "16"]
args   = ["a", "b", "c", "n"]

[[expect]]
buffer = "c"
equals = "matmul(a, b)"
---*/
#include <cuda_pipeline.h>

// A block computes TILE × TILE elements of c, and each of its threads R × R of them: squares of 4 × 4, STEP apart.
template <int TILE, int R>
__global__ void matmul(const float* a, const float* b, float* c, int n) {
    const int K = 16;  // columns of a and rows of b in a tile
    const int THREADS = TILE / R * TILE / R, STEP = 4 * TILE / R;
    __shared__ __align__(16) float sa[2][K][TILE], sb[2][K][TILE];
    int x = 4 * threadIdx.x, col = blockIdx.x * TILE;
    int y = 4 * threadIdx.y, row = blockIdx.y * TILE;
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    __align__(16) float sum[R][R] = {};
    for (int first = 0, next = 0; first <= n; first += K, next = 1 - next) {
        __pipeline_wait_prior(0);  // the copies of this thread have arrived
        __syncthreads();           // those of all threads have, and tile `next` is used up
        if (first < n) {
            for (int i = t; i < t + TILE * K / 4; i += THREADS) {
                int r = i / (K / 4), k = i % (K / 4) * 4;
                for (int j = 0; j < 4; ++j)
                    __pipeline_memcpy_async(&sa[next][k + j][r ^ k / 4 * 8], &a[(row + r) * n + first + k + j], 4);
                k = i / (TILE / 4), r = i % (TILE / 4) * 4;
                __pipeline_memcpy_async(&sb[next][k][r], &b[(first + k) * n + col + r], 16);
            }
            __pipeline_commit();
        }
        if (first == 0)
            continue;
        #pragma unroll  // so that the loads for the next k begin before the sums of this one
        for (int k = 0; k < K; ++k) {
            __align__(16) float ra[R], rb[R];
            for (int i = 0; i < R / 4; ++i) {
                (float4&)ra[4 * i] = (float4&)sa[1 - next][k][(y ^ k / 4 * 8) + STEP * i];
                (float4&)rb[4 * i] = (float4&)sb[1 - next][k][x + STEP * i];
            }
            for (int i = 0; i < R; ++i)
                for (int j = 0; j < R; ++j)
                    sum[i][j] += ra[i] * rb[j];
        }
    }
    for (int i = 0; i < R; ++i)
        for (int j = 0; j < R; j += 4)
            (float4&)c[(row + y + i / 4 * STEP + i % 4) * n + col + x + j / 4 * STEP] = (float4&)sum[i][j];
}
