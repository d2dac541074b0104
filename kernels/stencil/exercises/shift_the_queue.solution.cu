/*--- lanescope
title = "Shift the queue"
exercise = "stencil/shift_the_queue"

[params]
planes = { default = 6, min = 1, max = 1024 }
rows   = { default = 12, min = 1, max = 1024 }
cols   = { default = 30, min = 1, max = 1024, label = "columns" }
depth  = { default = 6, min = 1, max = 1024, label = "planes of a block" }
height = { default = 8, choices = [4, 8, 16, 32], label = "rows of a block with their halo" }

[buffers]
in  = { type = "float", shape = ["planes * rows", "cols"], init = "each(i / (rows * cols) % 2 * 64)" }
out = { type = "float", shape = ["planes * rows", "cols"] }

[arrays]
in  = { view = "image" }
out = { view = "image" }
s   = { view = "image", shape = ["height", "32"] }

[[launch]]
kernel = "heat"
grid   = ["ceil_div(cols, 30)", "ceil_div(rows, height - 2)", "ceil_div(planes, depth)"]
block  = ["32", "height"]
shared = "32 * height * 4"
args   = ["in", "out", "planes", "rows", "cols", "depth"]

[[expect]]
buffer = "out"
equals = "heat(in, 1, planes)"
---*/
__global__ void heat(const float* in, float* out, int planes, int rows, int cols, int depth) {
    extern __shared__ float s[];
    int x = threadIdx.x, y = threadIdx.y, t = y * 32 + x;
    int col = blockIdx.x * 30 + x - 1;
    int row = blockIdx.y * (blockDim.y - 2) + y - 1;
    int begin = blockIdx.z * depth, end = min(begin + depth, planes);
    int to_border = min(min(row, rows - 1 - row), min(col, cols - 1 - col));  // negative outside of the solid
    bool inside = to_border >= 0;
    bool halo = x == 0 || x == 31 || y == 0 || y == blockDim.y - 1;

    int plane = rows * cols;
    int i = begin * plane + row * cols + col;
    float below = inside && begin > 0 ? in[i - plane] : 0;
    float here = inside ? in[i] : 0;
    for (int z = begin; z < end; ++z) {
        float above = inside && z + 1 < planes ? in[i + plane] : 0;
        s[t] = here;
        __syncthreads();
        if (inside && !halo) {
            float u = here;
            if (to_border > 0 && z > 0 && z < planes - 1)
                u += (below + s[t - 32] + s[t - 1] + s[t + 1] + s[t + 32] + above - 6 * u) / 8;
            out[i] = u;
        }
        __syncthreads();
        below = here;
        here = above;
        i += plane;
    }
}
