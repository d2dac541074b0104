/*--- lanescope
title = "One tile is enough (solution)"
exercise = "performance/one_tile_is_enough"

[params]
tiles = { default = 2, min = 1, max = 1000, label = "tiles of 16 rows" }

[buffers]
in  = { type = "int", shape = ["16 * tiles", "64"], init = "random(0, 99)" }
out = { type = "int", shape = ["16 * tiles", "64"] }

[[launch]]
kernel = "reverse_rows"
grid   = ["tiles"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "reverse(in, 64)"
---*/
__global__ void reverse_rows(const int* in, int* out) {
    __shared__ int tile[16][64];
    int t = threadIdx.x, first = blockIdx.x * 16 * 64;
    for (int row = 0; row < 16; ++row)
        tile[row][t] = in[first + row * 64 + t];
    __syncthreads();
    for (int row = 0; row < 16; ++row)
        out[first + row * 64 + t] = tile[row][63 - t];
}
