/*--- lanescope
title = "A barrier is tested once, whatever the answer"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (b)
// Also: uninitialised (b)
// Only: warp (under others the last phase happens to be complete)
#include <cuda_awbarrier_primitives.h>
__global__ void k(const int* in, int* out) {
    __shared__ int s[64];
    __shared__ __mbarrier_t full;
    if (threadIdx.x == 0) __mbarrier_init(&full, 64);
    __syncthreads();
    s[threadIdx.x] = in[threadIdx.x];  // (a)
    __mbarrier_token_t token = __mbarrier_arrive(&full);
    __mbarrier_test_wait(&full, token);

    out[threadIdx.x] = s[63 - threadIdx.x];  // (b)
}
