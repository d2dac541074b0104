/*--- lanescope
title = "A producer and a consumer"
arch  = "sm_90"

[params]
n      = { default = 150, min = 0, max = 268435456, label = "elements n" }
blocks = { default = 1, min = 1, max = 65536, label = "blocks" }

[buffers]
in  = { type = "int", count = "n", init = "iota" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "reverse"
grid   = ["blocks"]
block  = ["64"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "reverse(in, 32)"
---*/
#include <cuda_awbarrier_primitives.h>

// Warp 0 fills tiles of 32 elements, warp 1 takes them out in reverse order. Two tiles take turns.
__global__ void reverse(const int* in, int* out, unsigned n) {
    __shared__ int s[2][32];
    __shared__ __mbarrier_t full[2], empty[2];
    unsigned lane = threadIdx.x % 32;
    if (threadIdx.x < 2) {
        __mbarrier_init(&full[threadIdx.x], 32);
        __mbarrier_init(&empty[threadIdx.x], 32);
    }
    __syncthreads();  // the barriers are ready
    unsigned k = 0;
    for (unsigned first = 32 * blockIdx.x; first < n; first += 32 * gridDim.x) {
        unsigned tile = k % 2, phase = k / 2 % 2, count = min(32, n - first);
        ++k;
        if (threadIdx.x < 32) {
            while (!__mbarrier_test_wait_parity(&empty[tile], phase ^ 1)) {
            }
            if (lane < count)
                s[tile][lane] = in[first + lane];
            __mbarrier_arrive(&full[tile]);
        } else {
            while (!__mbarrier_test_wait_parity(&full[tile], phase)) {
            }
            if (lane < count)
                out[first + lane] = s[tile][count - 1 - lane];
            __mbarrier_arrive(&empty[tile]);
        }
    }
}
