/*--- lanescope
title = "Which sums a lane holds"
exercise = "matmul/whose_sum"
arch = "sm_80"

[params]
n = { default = 32, choices = [16, 32, 48, 64], label = "rows and columns n" }

[buffers]
a = { type = "half", shape = ["n", "n"], init = "random(0, 9)" }
b = { type = "half", shape = ["n", "n"], init = "random(0, 9)" }
c = { type = "float", shape = ["n", "n"] }

[[launch]]
kernel = "matmul"
grid   = ["n / 8", "n / 16"]
block  = ["32"]
args   = ["a", "b", "c", "n"]

[[expect]]
buffer = "c"
equals = "matmul(a, b)"
---*/
#include <cuda_fp16.h>

// Adds the product of 16 × 16 and 16 × 8 halves to 16 × 8 sums. A lane holds four of the sums.
__device__ void multiply_add(float4& sum, const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum.x), "+f"(sum.y), "+f"(sum.z), "+f"(sum.w) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ unsigned pair(half low, half high) {
    half2 both = {low, high};
    return *(unsigned*)&both;
}

// A block is one warp and computes 16 × 8 elements of c.
__global__ void matmul(const half* a, const half* b, float* c, int n) {
    int lane = threadIdx.x, g = lane / 4, p = lane % 4 * 2;
    a += blockIdx.y * 16 * n;
    b += blockIdx.x * 8;
    c += blockIdx.y * 16 * n + blockIdx.x * 8;
    float4 sum = {};
    for (int k = 0; k < n; k += 16) {
        unsigned fa[4];
        for (int i = 0; i < 4; ++i)  // a piece of 8 × 8: rows from 8 * (i % 2) on, columns from 8 * (i / 2) on
            fa[i] = *(const unsigned*)&a[(g + i % 2 * 8) * n + k + p + i / 2 * 8];
        unsigned b0 = pair(b[(k + p) * n + g], b[(k + p + 1) * n + g]);
        unsigned b1 = pair(b[(k + p + 8) * n + g], b[(k + p + 9) * n + g]);
        multiply_add(sum, fa, b0, b1);
    }
    c[(lane / 2) * n + lane % 2 * 4] = sum.x;
    c[(lane / 2) * n + lane % 2 * 4 + 1] = sum.y;
    c[(lane / 2) * n + lane % 2 * 4 + 2] = sum.z;
    c[(lane / 2) * n + lane % 2 * 4 + 3] = sum.w;
}
