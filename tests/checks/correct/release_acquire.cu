/*--- lanescope
title = "A flag that releases and acquires: cuda::atomic_ref"

[buffers]
data = { type = "int", count = "1" }
flag = { type = "int", count = "1", init = "zero" }
out  = { type = "int", count = "1" }

[[launch]]
kernel = "hand_over"
grid   = ["2"]
block  = ["1"]
args   = ["data", "flag", "out"]

[[expect]]
buffer = "out"
values = [42]
---*/
#include <cuda/atomic>
__global__ void hand_over(int* data, int* flag, int* out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        *data = 42;
        ready.store(1, cuda::memory_order_release);
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0) {
        }
        *out = *data;
    }
}
