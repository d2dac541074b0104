/*--- lanescope
title = "Pairs of half numbers from an odd place"

[buffers]
in  = { type = "half", count = "66", init = "iota" }
out = { type = "half", count = "64" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
problems = ["misaligned"]
---*/
// Finds: misaligned (a)
#include <cuda_fp16.h>
__global__ void k(const __half* in, __half* out) {
    int i = 2 * threadIdx.x;
    __half2 two = *reinterpret_cast<const __half2*>(in + i + 1);  // (a)
    *reinterpret_cast<__half2*>(out + i) = __hadd2(two, two);
}
