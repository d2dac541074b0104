/*--- lanescope
title = "Each warp adds along a row, or down a column, of a matrix in L2"

[params]
n = { default = 256 }
down = { default = 0 }

[buffers]
in = { type = "float", count = "n * n", init = "random(0.0, 1.0)" }
out = { type = "float", count = "n" }

[[launch]]
kernel = "lines"
grid   = ["ceil_div(n, 64)"]
block  = ["64"]
args   = ["n", "down", "in", "out"]
---*/
__global__ void lines(int n, int down, const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k)
        sum += down ? in[k * n + i] : in[i * n + k];
    out[i] = sum;
}
