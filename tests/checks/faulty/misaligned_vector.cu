/*--- lanescope
title = "Four elements at once, from any start"

[buffers]
in  = { type = "float", count = "33", init = "iota" }
out = { type = "float4", count = "8" }

[[launch]]
kernel = "copy4"
grid   = ["1"]
block  = ["8"]
args   = ["in", "out"]

[[expect]]
problems = ["misaligned"]
---*/
// Finds: misaligned (a)
__global__ void copy4(const float* in, float4* out) {
    const float* from = in + 1 + 4 * threadIdx.x;
    out[threadIdx.x] = *reinterpret_cast<const float4*>(from);  // (a)
}
