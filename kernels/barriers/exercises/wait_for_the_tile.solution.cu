/*--- lanescope
title = "Wait for the tile"
exercise = "barriers/wait_for_the_tile"

[params]
n = { default = 16, choices = [8, 16, 32], label = "rows and columns" }

[buffers]
in  = { type = "int", shape = ["n", "n"], init = "random(0, 99)" }
out = { type = "int", shape = ["n", "n"] }

[[launch]]
kernel = "transpose"
grid   = ["1"]
block  = ["n", "n"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "transpose(in)"
---*/
__global__ void transpose(const int* in, int* out, unsigned n) {
    __shared__ int s[32][33];
    unsigned x = threadIdx.x, y = threadIdx.y;
    s[y][x] = in[y * n + x];
    __syncthreads();
    out[y * n + x] = s[x][y];
}
