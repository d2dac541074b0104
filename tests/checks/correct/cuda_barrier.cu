/*--- lanescope
title = "Arrive now, wait later: cuda::barrier"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "reverse"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "reverse(in, 64)"
---*/
#include <cuda/barrier>
__global__ void reverse(const int* in, int* out) {
    __shared__ int s[64];
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    unsigned t = threadIdx.x;
    if (t == 0) init(&ready, blockDim.x);
    __syncthreads();

    s[t] = in[t];
    auto token = ready.arrive();
    ready.wait(std::move(token));
    out[t] = s[63 - t];
}
