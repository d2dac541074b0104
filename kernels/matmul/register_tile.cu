/*--- lanescope
title = "Matrix product, a tile of c in the registers of each thread"

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
// A block computes TILE × TILE elements of c, and each of its threads R × R of them.
template <int TILE, int R>
__global__ void matmul(const float* a, const float* b, float* c, int n) {
    const int K = 16;  // columns of a and rows of b in a tile
    const int THREADS = TILE / R * TILE / R;
    __shared__ float sa[TILE][K], sb[K][TILE];
    int x = threadIdx.x, col = blockIdx.x * TILE;
    int y = threadIdx.y, row = blockIdx.y * TILE;
    int t = y * blockDim.x + x;
    float sum[R][R] = {};
    for (int first = 0; first < n; first += K) {
        for (int i = t; i < t + TILE * K; i += THREADS) {
            sa[i / K][i % K] = a[(row + i / K) * n + first + i % K];
            sb[i / TILE][i % TILE] = b[(first + i / TILE) * n + col + i % TILE];
        }
        __syncthreads();  // the tiles are complete
        for (int k = 0; k < K; ++k) {
            float ra[R], rb[R];
            for (int i = 0; i < R; ++i) {
                ra[i] = sa[R * y + i][k];
                rb[i] = sb[k][R * x + i];
            }
            for (int i = 0; i < R; ++i)
                for (int j = 0; j < R; ++j)
                    sum[i][j] += ra[i] * rb[j];
        }
        __syncthreads();  // the tiles are used up
    }
    for (int i = 0; i < R; ++i)
        for (int j = 0; j < R; ++j)
            c[(row + R * y + i) * n + col + R * x + j] = sum[i][j];
}
