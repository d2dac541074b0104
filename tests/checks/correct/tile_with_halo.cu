/*--- lanescope
title = "A tile and its halo, loaded by two groups of threads"

[buffers]
in   = { type = "float", count = "100", init = "random(0, 9)" }
mask = { type = "float", count = "3", values = [0.25, 0.5, 0.25] }
out  = { type = "float", count = "100" }

[[launch]]
kernel = "filter"
grid   = ["2"]
block  = ["64"]
args   = ["in", "out", "in.count"]

[[expect]]
buffer = "out"
equals = "convolve(in, mask)"
---*/
__global__ void filter(const float* in, float* out, int n) {
    __shared__ float s[64 + 2];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t + 1] = i < n ? in[i] : 0;
    if (t == 0) s[0] = i > 0 ? in[i - 1] : 0;
    if (t == 63) s[65] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads();
    if (i < n) out[i] = 0.25f * s[t] + 0.5f * s[t + 1] + 0.25f * s[t + 2];
}
