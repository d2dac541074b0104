/*--- lanescope
title = "Every block gives the semaphore back"

[buffers]
in  = { type = "int", count = "1", init = "constant(3)" }
out = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "k"
grid   = ["2"]
block  = ["32"]
args   = ["in", "out"]
---*/
#include <cuda/semaphore>
__device__ cuda::binary_semaphore<cuda::thread_scope_device> lock(1);
__global__ void k(const int* in, int* out) {
    if (threadIdx.x == 0) {
        lock.acquire();
        out[0] += in[0];
        lock.release();
    }
}
