/*--- lanescope
title = "Matrix product, fragments from a swizzled tile"
arch = "sm_80"

[params]
n = { default = 64, choices = [64, 128, 256, 512, 1024, 2048, 4096, 8192], label = "rows and columns n" }

[buffers]
a = { type = "half", shape = ["n", "n"], init = "random(0, 9)" }
b = { type = "half", shape = ["n", "n"], init = "random(0, 9)" }
c = { type = "float", shape = ["n", "n"] }

[[launch]]
kernel = "matmul<2>"
repeat = "r = n; r < 128; 128"
grid   = ["n / 64", "n / 64"]
block  = ["32", "2", "2"]
args   = ["a", "b", "c", "n"]

[[launch]]
kernel = "matmul<4>"
repeat = "r = n; r >= 128; 0"
grid   = ["max(1, n / 128)", "max(1, n / 128)"]
block  = ["32", "2", "2"]
args   = ["a", "b", "c", "n"]

[[expect]]
buffer = "c"
equals = "matmul(a, b)"
---*/
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

// Four matrices of 8 × 8 halves: lane l says where row l % 8 of matrix l / 8 begins, and gets two elements of each matrix.
__device__ uint4 load_four(const half* row) {
    uint4 m;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(m.x), "=r"(m.y), "=r"(m.z), "=r"(m.w) : "l"(__cvta_generic_to_shared(row)) : "memory");
    return m;
}
__device__ uint4 load_four_transposed(const half* row) {
    uint4 turned;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(turned.x), "=r"(turned.y), "=r"(turned.z), "=r"(turned.w) : "l"(__cvta_generic_to_shared(row)) : "memory");
    return turned;
}

// Adds the product of 16 × 16 and 16 × 8 halves to 16 × 8 sums. A lane holds four of the sums.
__device__ void multiply_add(float4& sum, uint4 a, unsigned b0, unsigned b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum.x), "+f"(sum.y), "+f"(sum.z), "+f"(sum.w) : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b0), "r"(b1));
}

// A warp computes 16 W × 16 W elements of c, and a block of 2 × 2 warps 32 W × 32 W.
template <int W>
__global__ void matmul(const half* a, const half* b, float* c, int n) {
    const int K = 32;  // columns of a and rows of b in a tile
    const int TILE = 32 * W;
    __shared__ __align__(16) half sa[2][TILE][K], sb[2][K][TILE];  // q counts pieces of eight halves
    int lane = threadIdx.x, t = (threadIdx.z * 2 + threadIdx.y) * 32 + lane;
    int x = threadIdx.y * 16 * W, col = blockIdx.x * TILE;
    int y = threadIdx.z * 16 * W, row = blockIdx.y * TILE;
    float4 sum[W][2 * W] = {};
    for (int first = 0, next = 0; first <= n; first += K, next = 1 - next) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (first < n) {
            for (int i = t; i < t + TILE * K / 8; i += 128) {
                int r = i / (K / 8), q = i % (K / 8);
                __pipeline_memcpy_async(&sa[next][r][8 * (q ^ r / 2 % 4)], &a[(row + r) * n + first + 8 * q], 16);
                r = i / (TILE / 8), q = i % (TILE / 8);
                __pipeline_memcpy_async(&sb[next][r][8 * (q ^ r % 8)], &b[(first + r) * n + col + 8 * q], 16);
            }
            __pipeline_commit();
        }
        if (first == 0)
            continue;
        for (int k = 0; k < K; k += 16) {
            uint4 fa[W], fb[W];
            int r = lane % 16, q = lane / 16;
            for (int i = 0; i < W; ++i) {
                fa[i] = load_four(&sa[1 - next][y + 16 * i + r][8 * ((k / 8 + q) ^ r / 2 % 4)]);
                fb[i] = load_four_transposed(&sb[1 - next][k + r][8 * ((x / 8 + 2 * i + q) ^ r % 8)]);
            }
            for (int i = 0; i < W; ++i)
                for (int j = 0; j < W; ++j) {
                    multiply_add(sum[i][2 * j], fa[i], fb[j].x, fb[j].y);
                    multiply_add(sum[i][2 * j + 1], fa[i], fb[j].z, fb[j].w);
                }
        }
    }
    for (int i = 0; i < W; ++i)
        for (int j = 0; j < 2 * W; ++j) {
            float* to = &c[(row + y + 16 * i + lane / 4) * n + col + x + 8 * j + lane % 4 * 2];
            (float2&)to[0] = {sum[i][j].x, sum[i][j].y};
            (float2&)to[8 * n] = {sum[i][j].z, sum[i][j].w};
        }
}
