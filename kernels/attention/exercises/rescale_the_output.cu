/*--- lanescope
title = "Rescale the output"
exercise = "attention/rescale_the_output"

[params]
n = { default = 16, min = 0, max = 65536, label = "queries, keys and values n" }
d = { default = 8, choices = [8, 64], label = "columns d" }

[buffers]
q   = { type = "float", shape = ["n", "d"], init = "random(-1, 1)" }
k   = { type = "float", shape = ["n", "d"], init = "random(-1, 1)" }
v   = { type = "float", shape = ["n", "d"], init = "random(0, 9)" }
out = { type = "float", shape = ["n", "d"] }

[[launch]]
kernel = "attention<8, 8>"
repeat = "r = d; r == 8; 0"
grid   = ["max(1, ceil_div(n, 8))"]
block  = ["8", "8"]
args   = ["q", "k", "v", "out", "n"]

[[launch]]
kernel = "attention<32, 64>"
repeat = "r = d; r == 64; 0"
grid   = ["max(1, ceil_div(n, 32))"]
block  = ["32", "32"]
args   = ["q", "k", "v", "out", "n"]

[[expect]]
buffer = "out"
equals = "attention(q, k, v)"
---*/
const unsigned whole_warp = 0xffffffff;
constexpr float lowest = -3.402823e38f;

// A block computes `tile` rows of out. In thread (x, y), y is the query; x is a key of the tile, and then a column.
template <int tile, int d>
__global__ void __launch_bounds__(tile * tile) attention(const float* q, const float* k, const float* v, float* out, int n) {
    __shared__ float sq[tile][d], sk[tile][d + 1], sv[tile][d], sp[tile][tile], so[tile][d];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.x * tile + y;
    for (int c = x; c < d; c += tile) {
        sq[y][c] = row < n ? q[row * d + c] : 0;
        so[y][c] = 0;
    }
    float m = lowest, l = 0;
    for (int first = 0; first < n; first += tile) {
        for (int c = x; c < d; c += tile) {
            sk[y][c] = first + y < n ? k[(first + y) * d + c] : 0;
            sv[y][c] = first + y < n ? v[(first + y) * d + c] : 0;
        }
        __syncthreads();  // the tiles are complete

        float score = 0;
        for (int c = 0; c < d; ++c)
            score += sq[y][c] * sk[x][c];
        score = first + x < n ? score / sqrtf(d) : lowest;

        float old = m;
        m = fmaxf(m, score);
        for (int stride = tile / 2; stride >= 1; stride /= 2)
            m = fmaxf(m, __shfl_xor_sync(whole_warp, m, stride));
        float p = expf(score - m), shrink = expf(old - m);
        sp[y][x] = p;
        for (int stride = tile / 2; stride >= 1; stride /= 2)
            p += __shfl_xor_sync(whole_warp, p, stride);
        l = l * shrink + p;
        __syncwarp();

        for (int c = x; c < d; c += tile) {
            for (int j = 0; j < tile; ++j)
                so[y][c] += sp[y][j] * sv[j][c];
        }
        __syncthreads();  // the tiles are used up
    }
    for (int c = x; c < d; c += tile)
        if (row < n)
            out[row * d + c] = so[y][c] / l;
}
