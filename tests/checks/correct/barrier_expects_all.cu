/*--- lanescope
title = "cuda::barrier waits for all threads"

[buffers]
in  = { type = "int", count = "32", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "reverse(in, 32)"
---*/
#include <cuda/barrier>
__global__ void k(const int* in, int* out) {
    __shared__ int s[32];
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    if (threadIdx.x == 0) init(&ready, blockDim.x);
    __syncthreads();
    s[threadIdx.x] = in[threadIdx.x];
    ready.arrive_and_wait();
    out[threadIdx.x] = s[31 - threadIdx.x];
}
