/*--- lanescope
title = "Transpose, four by four elements a thread"

[params]
row_quads = { default = 16, min = 0, max = 8192, label = "rows / 4" }
col_quads = { default = 16, min = 0, max = 8192, label = "columns / 4" }

[buffers]
in  = { type = "float", shape = ["4 * row_quads", "4 * col_quads"], init = "iota" }
out = { type = "float", shape = ["4 * col_quads", "4 * row_quads"] }

[[launch]]
kernel = "transpose"
grid   = ["max(1, ceil_div(col_quads, 16))", "max(1, ceil_div(row_quads, 16))"]
block  = ["16", "16"]
args   = ["in", "out", "row_quads", "col_quads"]

[[expect]]
buffer = "out"
equals = "transpose(in)"
---*/
__global__ void transpose(const float4* in, float4* out, int row_quads, int col_quads) {
    __shared__ float4 s[64][16];
    int x = threadIdx.x, y = threadIdx.y;

    int col = blockIdx.x * 16 + x;
    int row = blockIdx.y * 16 + y;
    if (row < row_quads && col < col_quads) {
        const float4* from = in + (size_t)4 * row * col_quads + col;
        float4 a = from[0], b = from[col_quads], c = from[2 * col_quads], d = from[3 * col_quads];
        float4 turned[4] = {{a.x, b.x, c.x, d.x}, {a.y, b.y, c.y, d.y}, {a.z, b.z, c.z, d.z}, {a.w, b.w, c.w, d.w}};
        for (int k = 0; k < 4; ++k)
            s[4 * x + k][y ^ x] = turned[k];
    }
    __syncthreads();

    col = blockIdx.x * 16 + y;
    row = blockIdx.y * 16 + x;
    if (row < row_quads && col < col_quads)
        for (int k = 0; k < 4; ++k)
            out[(size_t)(4 * col + k) * row_quads + row] = s[4 * y + k][x ^ y];
}
