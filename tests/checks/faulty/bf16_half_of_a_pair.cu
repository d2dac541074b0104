/*--- lanescope
title = "One number of each pair is never written"

[buffers]
in  = { type = "float", count = "64", init = "iota" }
out = { type = "float", count = "32" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
problems = ["uninitialised"]
---*/
// Finds: uninitialised (a)
#include <cuda_bf16.h>
__global__ void k(const float* in, float* out) {
    __shared__ __nv_bfloat162 pairs[32];
    __nv_bfloat16* numbers = reinterpret_cast<__nv_bfloat16*>(pairs);
    int t = threadIdx.x;
    numbers[2 * t] = __float2bfloat16(in[2 * t]);

    __syncwarp();
    float2 both = __bfloat1622float2(pairs[31 - t]);  // (a)
    out[t] = both.x + both.y;
}
