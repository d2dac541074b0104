/*--- lanescope
title = "Occupancy: how many blocks fit"

[params]
n     = { default = 256, min = 0, max = 268435456, label = "elements n" }
block = { default = 64, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }
kib   = { default = 28, choices = [4, 16, 28, 56, 113, 227], label = "shared memory of a block, KiB" }

[buffers]
in  = { type = "int", count = "n", init = "iota" }
out = { type = "int", count = "n" }

[arrays]
s = { shape = ["block"] }

[[launch]]
kernel = "reverse"
grid   = ["max(1, ceil_div(n, block))"]
block  = ["block"]
shared = "1024 * kib"
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "reverse(in, block)"
---*/
__global__ void reverse(const int* in, int* out, unsigned n) {
    extern __shared__ int s[];  // the launch asks for more than the kernel uses
    unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;
    unsigned size = min(blockDim.x, n - first);
    if (t < size)
        s[t] = in[first + t];
    __syncthreads();
    if (t < size)
        out[first + t] = s[size - 1 - t];
}
