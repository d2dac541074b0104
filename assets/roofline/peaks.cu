/*--- lanescope
title = "How many operations a GPU can do in a second"

[params]
kind   = { default = 0, choices = [0, 1, 2, 3, 4], label = "float multiply-add, add; int multiply-add, add; matrix" }
rounds = { default = 2, min = 1, max = 65536 }
blocks = { default = 1, min = 1, max = 65536 }
block  = { default = 64, min = 32, max = 1024 }

[buffers]
out = { type = "float", count = "blocks * block" }

[cost]
bytes      = "4 * out.count"
operations = "out.count * rounds * 128 * (kind == 4 ? 256 : kind % 2 == 0 ? 2 : 1)"

[[launch]]
kernel = "multiply_add<float>"
repeat = "k = kind; k == 0; 4"
grid   = ["blocks"]
block  = ["block"]
args   = ["out", "rounds", "0.5", "1"]

[[launch]]
kernel = "add<float>"
repeat = "k = kind; k == 1; 4"
grid   = ["blocks"]
block  = ["block"]
args   = ["out", "rounds", "0.000001"]

[[launch]]
kernel = "multiply_add<int>"
repeat = "k = kind; k == 2; 4"
grid   = ["blocks"]
block  = ["block"]
args   = ["out", "rounds", "3", "1"]

[[launch]]
kernel = "add<int>"
repeat = "k = kind; k == 3; 4"
grid   = ["blocks"]
block  = ["block"]
args   = ["out", "rounds", "1"]

[[launch]]
kernel = "multiply_matrices"
repeat = "k = kind; k == 4; 5"
grid   = ["blocks"]
block  = ["block"]
args   = ["out", "rounds"]
---*/
#include <mma.h>

// Each thread has CHAINS values that do not depend on each other, so that a result is seldom waited for. A round does
// 16 operations on each of them, 128 in all; a multiply-add counts as two, and a product of matrices as 256 for each thread.
const int CHAINS = 8, UNROLLED = 16;

template <class T>
__global__ void multiply_add(float* out, int rounds, T factor, T summand) {
    T value[CHAINS];
    for (int c = 0; c < CHAINS; ++c)
        value[c] = T(threadIdx.x + c);
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int u = 0; u < UNROLLED; ++u)
#pragma unroll
            for (int c = 0; c < CHAINS; ++c)
                value[c] = value[c] * factor + summand;
    T sum = 0;
    for (int c = 0; c < CHAINS; ++c)
        sum += value[c];
    out[blockIdx.x * blockDim.x + threadIdx.x] = float(sum);
}

// The next value of a chain is the sum of the last two: no compiler can shorten that.
template <class T>
__global__ void add(float* out, int rounds, T first) {
    T value[CHAINS], last[CHAINS];
    for (int c = 0; c < CHAINS; ++c) {
        value[c] = first * T(c + 1);
        last[c] = first * T(threadIdx.x);
    }
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int u = 0; u < UNROLLED; u += 2)
#pragma unroll
            for (int c = 0; c < CHAINS; ++c) {
                last[c] += value[c];
                value[c] += last[c];
            }
    T sum = 0;
    for (int c = 0; c < CHAINS; ++c)
        sum += value[c];
    out[blockIdx.x * blockDim.x + threadIdx.x] = float(sum);
}

// Products of 16 × 16 halves, which the tensor cores add to floats: 2 · 16³ operations of a warp.
__global__ void multiply_matrices(float* out, int rounds) {
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, __half, row_major> a;
    fragment<matrix_b, 16, 16, 16, __half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> sum[CHAINS];
    fill_fragment(a, __float2half(0.5f));
    fill_fragment(b, __float2half(0.25f));
    for (int c = 0; c < CHAINS; ++c)
        fill_fragment(sum[c], float(c));
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int u = 0; u < UNROLLED; ++u)
#pragma unroll
            for (int c = 0; c < CHAINS; ++c)
                mma_sync(sum[c], a, b, sum[c]);
    float all = 0;
    for (int c = 0; c < CHAINS; ++c)
        for (int i = 0; i < sum[c].num_elements; ++i)
            all += sum[c].x[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = all;
}
