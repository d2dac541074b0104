/*--- lanescope
title = "The median of 3 × 3 bytes by a network of comparators"

[params]
rows = { default = 32 }
cols = { default = 64 }

[buffers]
in = { type = "uchar", count = "rows * cols", init = "random(0, 255)" }
out = { type = "uchar", count = "rows * cols" }

[[launch]]
kernel = "median"
grid   = ["ceil_div(cols, 32)", "ceil_div(rows, 8)"]
block  = ["32", "8"]
args   = ["rows", "cols", "in", "out"]
---*/
__device__ void order(int& a, int& b) {
    int low = min(a, b);
    b = max(a, b);
    a = low;
}

__global__ void median(int rows, int cols, const unsigned char* in, unsigned char* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= cols - 1 || y >= rows - 1) return;
    const unsigned char* p = in + y * cols + x;
    int v[9];
    for (int k = 0; k < 9; ++k)
        v[k] = p[(k / 3 - 1) * cols + k % 3 - 1];
    for (int pass = 0; pass < 5; ++pass)
        for (int k = pass; k < 8 - pass; ++k) {
            order(v[pass], v[k + 1]);
            order(v[k + 1], v[8 - pass]);
        }
    out[y * cols + x] = v[4];
}
