/*--- lanescope
title = "Filter [1/4 1/2 1/4]: neighbours are read before they are there"

[buffers]
in  = { type = "float", count = "128", init = "random(0, 9)" }
out = { type = "float", count = "128" }

[[launch]]
kernel = "filter"
grid   = ["1"]
block  = ["128"]
args   = ["in", "out"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (b)
// Also: race (d) (b); unsynced_lanes (a) (b); uninitialised (b)
__global__ void filter(const float* in, float* out) {
    __shared__ float s[128 + 2];
    unsigned t = threadIdx.x;
    s[t + 1] = in[t];                                              // (a)
    if (t == 0) s[0] = s[129] = 0;                                 // (d)

    out[t] = 0.25f * s[t] + 0.5f * s[t + 1] + 0.25f * s[t + 2];    // (b)
}
