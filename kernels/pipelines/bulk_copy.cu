/*--- lanescope
title = "One instruction copies a tile"
arch  = "sm_90"

[params]
n     = { default = 150, min = 0, max = 268435456, label = "elements n" }
block = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "iota" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "reverse"
grid   = ["max(1, ceil_div(n, block))"]
block  = ["block"]
shared = "4 * block"
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "reverse(in, block)"
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

// Each block reverses a tile of one element for each thread.
__global__ void reverse(const int* in, int* out, unsigned n) {
    extern __shared__ int s[];
    __shared__ __mbarrier_t full;
    unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;
    unsigned count = min(blockDim.x, n - first), bulk = count / 4 * 4;  // 4 elements are 16 bytes
    if (t == 0) {
        __mbarrier_init(&full, 1);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // copies see the new barrier
    }
    __syncthreads();  // threads see it
    if (t == 0) {
        arrive_and_expect(&full, 4 * bulk);
        if (bulk > 0)
            copy_in_bulk(s, in + first, 4 * bulk, &full);
    }
    while (!__mbarrier_test_wait_parity(&full, 0)) {
    }
    unsigned i = count - 1 - t;
    if (t < count)
        out[first + t] = i < bulk ? s[i] : in[first + i];  // the last 1 to 3 may not fill 16 bytes
}
