/*--- lanescope
title = "Four elements at once, the rest one by one"

[buffers]
in  = { type = "float", count = "35", init = "iota" }
out = { type = "float", count = "35" }

[[launch]]
kernel = "copy4"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out", "in.count"]

[[expect]]
buffer = "out"
equals = "copy(in)"
---*/
__global__ void copy4(const float* in, float* out, int n) {
    int t = threadIdx.x, whole = n / 4;
    if (t < whole)
        reinterpret_cast<float4*>(out)[t] = reinterpret_cast<const float4*>(in)[t];
    if (4 * whole + t < n)
        out[4 * whole + t] = in[4 * whole + t];
}
