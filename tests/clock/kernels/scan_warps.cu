/*--- lanescope
title = "A prefix sum in each warp by shuffles"

[params]
n = { default = 1024 }
block = { default = 256 }

[buffers]
a = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "scan"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["a", "out"]
---*/
__global__ void scan(const int* a, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = a[i];
    for (int d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(0xffffffff, x, d);
        if (threadIdx.x % 32 >= d) x += left;
    }
    out[i] = x;
}
