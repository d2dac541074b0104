/*--- lanescope
title = "A filter of three, neighbours from global memory"

[params]
blocks = { default = 3, min = 1, max = 262144, label = "blocks" }
block  = { default = 64, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in     = { type = "float", count = "blocks * block", init = "random(0, 9)" }
filter = { type = "float", count = "3", values = [0.25, 0.5, 0.25] }
out    = { type = "float", count = "blocks * block" }

[[launch]]
kernel = "smooth"
grid   = ["blocks"]
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
    int i = blockIdx.x * blockDim.x + t;
    s[t] = in[i];
    __syncthreads();

    float left = 0, right = 0;
    if (t > 0)
        left = s[t - 1];
    else if (i > 0)
        left = in[i - 1];
    if (t < blockDim.x - 1)
        right = s[t + 1];
    else if (i < n - 1)
        right = in[i + 1];
    out[i] = 0.25f * left + 0.5f * s[t] + 0.25f * right;
}
