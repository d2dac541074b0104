/*--- lanescope
title = "A relaxed store says that the data is there"

[buffers]
in   = { type = "int", count = "2", init = "iota" }
out  = { type = "int", count = "2" }
flag = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "k"
grid   = ["2"]
block  = ["1"]
args   = ["in", "out", "flag"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (b)
#include <cuda/atomic>
__global__ void k(const int* in, int* out, int* place) {
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(*place);
    if (blockIdx.x == 0) {
        out[0] = in[0] + 1;  // (a)
        flag.store(1, cuda::memory_order_relaxed);
    } else {
        while (flag.load(cuda::memory_order_acquire) == 0) {
        }
        out[1] = out[0];  // (b)
    }
}
