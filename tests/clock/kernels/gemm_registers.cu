/*--- lanescope
title = "A matrix product with 4 × 4 elements a thread; n is a multiple of 64"

[params]
n = { default = 128 }

[buffers]
a = { type = "float", count = "n * n", init = "random(0.0, 1.0)" }
b = { type = "float", count = "n * n", init = "random(0.0, 1.0)" }
c = { type = "float", count = "n * n" }

[[launch]]
kernel = "gemm"
grid   = ["n / 64", "n / 64"]
block  = ["16", "16"]
args   = ["n", "a", "b", "c"]
---*/
__global__ void gemm(int n, const float* a, const float* b, float* c) {
    __shared__ float as[16][64], bs[16][64];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx, row = blockIdx.y * 64, col = blockIdx.x * 64;
    float sum[4][4] = {};
    for (int k = 0; k < n; k += 16) {
        for (int i = t; i < 1024; i += 256) {
            as[i % 16][i / 16] = a[(row + i / 16) * n + k + i % 16];
            bs[i / 64][i % 64] = b[(k + i / 64) * n + col + i % 64];
        }
        __syncthreads();
        for (int j = 0; j < 16; ++j)
            for (int y = 0; y < 4; ++y)
                for (int x = 0; x < 4; ++x)
                    sum[y][x] += as[j][ty * 4 + y] * bs[j][tx * 4 + x];
        __syncthreads();
    }
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
            c[(row + ty * 4 + y) * n + col + tx * 4 + x] = sum[y][x];
}
