/*--- lanescope
title = "The halo is never loaded"

[buffers]
in  = { type = "float", count = "64", init = "random(0, 9)" }
out = { type = "float", count = "64" }

[[launch]]
kernel = "filter"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
problems = ["uninitialised"]
---*/
// Finds: uninitialised (a)
__global__ void filter(const float* in, float* out) {
    __shared__ float s[64 + 2];
    unsigned t = threadIdx.x;
    s[t + 1] = in[t];
    __syncthreads();
    out[t] = 0.25f * s[t] + 0.5f * s[t + 1] + 0.25f * s[t + 2];  // (a) s[0] and s[65]
}
