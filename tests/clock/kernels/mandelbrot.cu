/*--- lanescope
title = "Iterations until a point leaves the circle: divergence"

[params]
rows = { default = 32 }
cols = { default = 64 }

[buffers]
out = { type = "int", count = "rows * cols" }

[[launch]]
kernel = "mandelbrot"
grid   = ["ceil_div(cols, 32)", "ceil_div(rows, 8)"]
block  = ["32", "8"]
args   = ["rows", "cols", "out"]
---*/
__global__ void mandelbrot(int rows, int cols, int* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    float cx = 3.0f * x / cols - 2, cy = 2.0f * y / rows - 1, a = 0, b = 0;
    int k = 0;
    for (; k < 100 && a * a + b * b < 4; ++k) {
        float c = a * a - b * b + cx;
        b = 2 * a * b + cy;
        a = c;
    }
    out[y * cols + x] = k;
}
