/*--- lanescope
title = "A barrier that targets before sm_80 build from atomics"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "reverse(in, 64)"
---*/
// Arguments: --arch sm_75
#include <cuda_awbarrier_primitives.h>
__device__ void arrive_and_wait(__mbarrier_t* barrier) {
    __mbarrier_token_t token = __mbarrier_arrive(barrier);
    while (!__mbarrier_test_wait(barrier, token)) {
    }
}
__global__ void k(const int* in, int* out) {
    __shared__ int s[64];
    __shared__ __mbarrier_t step;
    unsigned t = threadIdx.x;
    if (t == 0) __mbarrier_init(&step, 64);
    __syncthreads();
    for (int i = 0; i < 3; ++i) {
        s[t] = in[t] + i;
        arrive_and_wait(&step);
        out[t] = s[63 - t] - i;
        arrive_and_wait(&step);
    }
    s[t] = in[t];
    if (t < 32) {
        __mbarrier_arrive_and_drop(&step);
        return;
    }
    arrive_and_wait(&step);
    out[63 - t] = s[t];
    out[t] = s[63 - t];
}
