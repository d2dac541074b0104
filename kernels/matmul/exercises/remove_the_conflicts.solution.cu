/*--- lanescope
title = "Remove the bank conflicts (solution)"
exercise = "matmul/remove_the_conflicts"

[params]
n = { default = 64, choices = [32, 64, 96, 128], label = "rows and columns n" }

[buffers]
a = { type = "float", shape = ["n", "n"], init = "random(0, 9)" }
b = { type = "float", shape = ["n", "n"], init = "random(0, 9)" }
c = { type = "float", shape = ["n", "n"] }

[[launch]]
kernel = "matmul"
grid   = ["n / 32", "n / 32"]
block  = ["32", "8"]
args   = ["a", "b", "c", "n"]

[[expect]]
buffer = "c"
equals = "matmul(a, b)"
---*/
const int TILE = 32, K = 32;

// A block computes 32 × 32 elements of c, and each of its threads four of them.
__global__ void matmul(const float* a, const float* b, float* c, int n) {
    __shared__ float sa[K][TILE], sb[K][TILE];  // row r, column k of a at sa[k][r ^ k]
    int x = threadIdx.x, col = blockIdx.x * TILE + x;
    int y = threadIdx.y, row = blockIdx.y * TILE;
    float sum[4] = {};
    for (int first = 0; first < n; first += K) {
        for (int r = y; r < TILE; r += 8) {
            sa[x][r ^ x] = a[(row + r) * n + first + x];
            sb[r][x] = b[(first + r) * n + col];
        }
        __syncthreads();
        for (int k = 0; k < K; ++k)
            for (int i = 0; i < 4; ++i)
                sum[i] += sa[k][(4 * y + i) ^ k] * sb[k][x];
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        c[(row + 4 * y + i) * n + col] = sum[i];
}
