/*--- lanescope
title = "Threads arrive at a barrier that may not be initialised"
arch = "sm_80"

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
// Also: unsynced_lanes (a) (b); race (a) (c); uninitialised (b); uninitialised (c); deadlock (c)
#include <cuda_awbarrier_primitives.h>
__global__ void k(const int* in, int* out) {
    __shared__ __mbarrier_t full;
    if (threadIdx.x == 0) __mbarrier_init(&full, 64);  // (a)

    __mbarrier_token_t token = __mbarrier_arrive(&full);  // (b)
    while (!__mbarrier_test_wait(&full, token)) {  // (c)
    }
    out[threadIdx.x] = in[threadIdx.x];
}
