/*--- lanescope
title = "Filter [1/4 1/2 1/4] with its barrier"

[buffers]
in   = { type = "float", count = "128", init = "random(0, 9)" }
mask = { type = "float", count = "3", values = [0.25, 0.5, 0.25] }
out  = { type = "float", count = "128" }

[[launch]]
kernel = "filter"
grid   = ["1"]
block  = ["128"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "convolve(in, mask)"
---*/
__global__ void filter(const float* in, float* out) {
    __shared__ float s[128 + 2];
    unsigned t = threadIdx.x;
    s[t + 1] = in[t];
    if (t == 0) s[0] = s[129] = 0;
    __syncthreads();
    out[t] = 0.25f * s[t] + 0.5f * s[t + 1] + 0.25f * s[t + 2];
}
