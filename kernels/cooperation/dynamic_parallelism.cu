/*--- lanescope
title = "Cells that refine themselves"

[params]
n = { default = 32, choices = [16, 32, 64, 128, 256, 512], label = "width n" }

[buffers]
level    = { type = "int", shape = ["n", "n"] }
out      = { type = "int", shape = ["n", "n"] }
computed = { type = "int", count = "1", init = "zero" }
all      = { type = "int", shape = ["n", "n"] }

[arrays]
level = { view = "image" }
out   = { view = "image" }
all   = { view = "image" }

[[launch]]
kernel = "every_pixel"
grid   = ["n / 16", "n / 16"]
block  = ["16", "16"]
args   = ["all", "n"]

[[launch]]
kernel = "refine"
grid   = ["1"]
block  = ["2", "2"]
args   = ["out", "level", "computed", "n", "0", "0", "n / 2", "1"]

[[expect]]
buffer = "out"
equals = "copy(all)"
---*/
// Whether a pixel lies in a disc. Imagine a simulation that takes long for each pixel.
__device__ int inside(int n, int x, int y) {
    int dx = 2 * x + 1 - n, dy = 2 * y + 1 - n;
    return 5 * (dx * dx + dy * dy) < 4 * n * n;
}

__global__ void every_pixel(int* all, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    all[y * n + x] = inside(n, x, y);
}

// Each of 2 x 2 threads looks at the corners of one cell. (nvcc needs -rdc=true)
__global__ void refine(int* out, int* level, int* computed, int n, int left, int top, int size, int depth) {
    int x = left + threadIdx.x * size, y = top + threadIdx.y * size, last = size - 1;
    int corners = inside(n, x, y) + inside(n, x + last, y) +
                  inside(n, x, y + last) + inside(n, x + last, y + last);
    atomicAdd(computed, 4);
    if (corners % 4 != 0) {  // the edge runs through this cell
        refine<<<1, dim3(2, 2)>>>(out, level, computed, n, x, y, size / 2, depth + 1);
        return;
    }
    for (int row = y; row < y + size; ++row)
        for (int col = x; col < x + size; ++col) {
            out[row * n + col] = corners / 4;
            level[row * n + col] = depth;
        }
}
