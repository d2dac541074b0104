/*--- lanescope
title = "Threads count a latch down and wait for it"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]
---*/
#include <cuda/latch>
__global__ void k(const int* in, int* out) {
    __shared__ int s[64];
    using Latch = cuda::latch<cuda::thread_scope_block>;
    __shared__ alignas(Latch) char place[sizeof(Latch)];
    Latch& written = *reinterpret_cast<Latch*>(place);
    if (threadIdx.x == 0) new (place) Latch(64);
    __syncthreads();
    s[threadIdx.x] = in[threadIdx.x];
    written.arrive_and_wait();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
