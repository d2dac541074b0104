/*--- lanescope
title = "Load four elements at once"
exercise = "matmul/four_at_once"

[params]
n = { default = 32, choices = [32, 64, 96, 128], label = "rows and columns n" }

[buffers]
a = { type = "float", shape = ["n", "n"], init = "random(0, 9)" }
b = { type = "float", shape = ["n", "n"], init = "random(0, 9)" }
c = { type = "float", shape = ["n", "n"] }

[[launch]]
kernel = "matmul"
grid   = ["n / 32", "n / 32"]
block  = ["8", "8"]
args   = ["a", "b", "c", "n"]

[[expect]]
buffer = "c"
equals = "matmul(a, b)"
---*/
const int TILE = 32, K = 16;

// A block of 64 threads computes 32 × 32 elements of c, and each of its threads 4 × 4 of them.
__global__ void matmul(const float* a, const float* b, float* c, int n) {
    __shared__ __align__(16) float sa[TILE][K], sb[K][TILE];
    int x = 4 * threadIdx.x, col = blockIdx.x * TILE;
    int y = 4 * threadIdx.y, row = blockIdx.y * TILE;
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    float sum[4][4] = {};
    for (int first = 0; first < n; first += K) {
        for (int i = t; i < TILE * K; i += 64) {
            sa[i / K][i % K] = a[(row + i / K) * n + first + i % K];
            sb[i / TILE][i % TILE] = b[(first + i / TILE) * n + col + i % TILE];
        }
        __syncthreads();
        for (int k = 0; k < K; ++k)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    sum[i][j] += sa[y + i][k] * sb[k][x + j];
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            c[(row + y + i) * n + col + x + j] = sum[i][j];
}
