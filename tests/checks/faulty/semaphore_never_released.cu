/*--- lanescope
title = "The first block keeps the semaphore"

[buffers]
in  = { type = "int", count = "1", init = "constant(3)" }
out = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "k"
grid   = ["2"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
problems = ["deadlock"]
---*/
// Finds: deadlock (a)
#include <cuda/semaphore>
__device__ cuda::binary_semaphore<cuda::thread_scope_device> lock(1);
__global__ void k(const int* in, int* out) {
    if (threadIdx.x == 0) {
        lock.acquire();  // (a)
        out[0] += in[0];
    }
}
