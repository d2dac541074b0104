/*--- lanescope
title = "Count the bytes (solution)"
exercise = "pipelines/count_the_bytes"
arch = "sm_90"

[params]
n     = { default = 192, min = 32, max = 65536, label = "elements n, a multiple of 32" }
block = { default = 64, choices = [32, 64, 128], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 99)" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "square"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
shared = "4 * block"
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "square(in)"
---*/
#include <cuda_awbarrier_primitives.h>

// One arrival at the barrier. Its phase also awaits this many bytes.
__device__ void arrive_and_expect(__mbarrier_t* barrier, unsigned bytes) {
    unsigned address = __cvta_generic_to_shared(barrier);
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address), "r"(bytes) : "memory");
}

// Begins to copy a multiple of 16 bytes. The barrier counts them as they arrive.
__device__ void copy_in_bulk(int* to, const int* from, unsigned bytes, __mbarrier_t* barrier) {
    unsigned address = __cvta_generic_to_shared(barrier), s = __cvta_generic_to_shared(to);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
                     "r"(s), "l"(from), "r"(bytes), "r"(address) : "memory");
}

__global__ void square(const int* in, int* out, unsigned n) {
    extern __shared__ int s[];
    __shared__ __mbarrier_t full;
    unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;
    unsigned count = min(blockDim.x, n - first);
    if (t == 0) {
        __mbarrier_init(&full, 1);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (t == 0) {
        arrive_and_expect(&full, count * sizeof(int));
        copy_in_bulk(s, in + first, count * sizeof(int), &full);
    }
    while (!__mbarrier_test_wait_parity(&full, 0)) {
    }
    if (t < count)
        out[first + t] = s[t] * s[t];
}
