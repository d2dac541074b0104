/*--- lanescope
title = "Join the warps (solution)"
exercise = "pipelines/join_the_warps"
arch = "sm_90"

[params]
n = { default = 80, min = 1, max = 65536, label = "elements n" }

[buffers]
a   = { type = "int", count = "n", init = "random(0, 99)" }
b   = { type = "int", count = "n", init = "random(0, 99)" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "add"
grid   = ["ceil_div(n, 32)"]
block  = ["64"]
args   = ["a", "b", "out", "n"]

[[expect]]
buffer = "out"
equals = "add(a, b)"
---*/
#include <cuda_awbarrier_primitives.h>

__global__ void add(const int* a, const int* b, int* out, unsigned n) {
    __shared__ int s[32];
    __shared__ __mbarrier_t event;
    unsigned lane = threadIdx.x % 32, i = blockIdx.x * 32 + lane;
    if (threadIdx.x == 0)
        __mbarrier_init(&event, 32);
    __syncthreads();
    if (threadIdx.x >= 32) {  // warp 1 fetches b
        if (i < n)
            s[lane] = b[i];
        __mbarrier_arrive(&event);
    } else {  // warp 0 adds
        while (!__mbarrier_test_wait_parity(&event, 0)) {
        }
        if (i < n)
            out[i] = a[i] + s[lane];
    }
}
