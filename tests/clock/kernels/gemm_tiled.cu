/*--- lanescope
title = "A matrix product with tiles of 16 × 16; n is a multiple of 16"

[params]
n = { default = 64 }

[buffers]
a = { type = "float", count = "n * n", init = "random(0.0, 1.0)" }
b = { type = "float", count = "n * n", init = "random(0.0, 1.0)" }
c = { type = "float", count = "n * n" }

[[launch]]
kernel = "gemm"
grid   = ["n / 16", "n / 16"]
block  = ["16", "16"]
args   = ["n", "a", "b", "c"]
---*/
__global__ void gemm(int n, const float* a, const float* b, float* c) {
    __shared__ float as[16][16], bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        as[ty][tx] = a[row * n + k + tx];
        bs[ty][tx] = b[(k + ty) * n + col];
        __syncthreads();
        for (int j = 0; j < 16; ++j)
            sum += as[ty][j] * bs[j][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
