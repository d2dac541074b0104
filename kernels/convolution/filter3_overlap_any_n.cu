/*--- lanescope
title = "A filter of three, overlapping blocks, any n"

[params]
n      = { default = 150, min = 0, max = 268435456, label = "elements n" }
block  = { default = 64, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in     = { type = "float", count = "n", init = "random(0, 9)" }
filter = { type = "float", count = "3", values = [0.25, 0.5, 0.25] }
out    = { type = "float", count = "n" }

[[launch]]
kernel = "smooth"
grid   = ["max(1, ceil_div(n, block - 2))"]
block  = ["block"]
shared = "block * 4"
args   = ["in", "out", "in.count"]

[[expect]]
buffer = "out"
equals = "convolve(in, filter)"
---*/
__global__ void smooth(const float* in, float* out, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    int i = blockIdx.x * (blockDim.x - 2) + t - 1;
    s[t] = i >= 0 && i < n ? in[i] : 0;
    __syncthreads();

    if (t > 0 && t < blockDim.x - 1 && i < n)
        out[i] = 0.25f * s[t - 1] + 0.5f * s[t] + 0.25f * s[t + 1];
}
