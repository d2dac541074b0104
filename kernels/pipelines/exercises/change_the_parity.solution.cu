/*--- lanescope
title = "Change the parity (solution)"
exercise = "pipelines/change_the_parity"
arch = "sm_90"

[params]
n = { default = 100, min = 1, max = 65536, label = "elements n" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 99)" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "reverse"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "reverse(in, 32)"
---*/
#include <cuda_awbarrier_primitives.h>

__device__ void wait(__mbarrier_t* barrier, unsigned parity) {
    while (!__mbarrier_test_wait_parity(barrier, parity)) {
    }
}

// Warp 0 fills the tile, warp 1 takes it out in reverse order.
__global__ void reverse(const int* in, int* out, unsigned n) {
    __shared__ int s[32];
    __shared__ __mbarrier_t full, empty;
    unsigned lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        __mbarrier_init(&full, 32);
        __mbarrier_init(&empty, 32);
    }
    __syncthreads();
    for (unsigned first = 0; first < n; first += 32) {
        unsigned k = first / 32, count = min(32, n - first);
        if (threadIdx.x < 32) {
            wait(&empty, (k + 1) % 2);
            if (lane < count)
                s[lane] = in[first + lane];
            __mbarrier_arrive(&full);
        } else {
            wait(&full, k % 2);
            if (lane < count)
                out[first + lane] = s[count - 1 - lane];
            __mbarrier_arrive(&empty);
        }
    }
}
