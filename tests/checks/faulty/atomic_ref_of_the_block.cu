/*--- lanescope
title = "cuda::atomic_ref for the block, used by the grid"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "k"
grid   = ["2"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (a)
#include <cuda/atomic>
__global__ void k(const int* in, int* out) {
    cuda::atomic_ref<int, cuda::thread_scope_block> most(*out);
    most.fetch_max(in[blockIdx.x * 32 + threadIdx.x], cuda::memory_order_relaxed);  // (a)
}
