/*--- lanescope
title = "Transpose through a padded tile"

[buffers]
in  = { type = "float", shape = ["64", "32"], init = "iota" }
out = { type = "float", shape = ["32", "64"] }

[[launch]]
kernel = "transpose"
grid   = ["1", "2"]
block  = ["32", "8"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "transpose(in)"
---*/
__global__ void transpose(const float* in, float* out) {
    __shared__ float tile[32][33];
    unsigned x = threadIdx.x, top = 32 * blockIdx.y;
    for (unsigned y = threadIdx.y; y < 32; y += 8)
        tile[y][x] = in[32 * (top + y) + x];
    __syncthreads();
    for (unsigned y = threadIdx.y; y < 32; y += 8)
        out[64 * y + top + x] = tile[x][y];
}
