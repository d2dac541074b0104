/*--- lanescope
title = "A cuda::barrier at which threads arrive and wait"
arch = "sm_80"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]
---*/
#include <cuda/barrier>
__global__ void k(const int* in, int* out) {
    __shared__ int s[64];
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    if (threadIdx.x == 0) init(&ready, blockDim.x);
    __syncthreads();
    s[threadIdx.x] = in[threadIdx.x];
    auto token = ready.arrive();
    ready.wait(std::move(token));
    out[threadIdx.x] = s[63 - threadIdx.x];
}
