/*--- lanescope
title = "Seven points of a cube"

[params]
n = { default = 32 }

[buffers]
in = { type = "float", count = "n * n * n", init = "random(0.0, 1.0)" }
out = { type = "float", count = "n * n * n" }

[[launch]]
kernel = "heat"
grid   = ["ceil_div(n, 32)", "ceil_div(n, 4)", "ceil_div(n, 4)"]
block  = ["32", "4", "4"]
args   = ["n", "in", "out"]
---*/
__global__ void heat(int n, const float* in, float* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
    int i = (z * n + y) * n + x;
    out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n]);
}
