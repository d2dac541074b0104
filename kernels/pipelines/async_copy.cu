/*--- lanescope
title = "An asynchronous copy"
arch  = "sm_80"

[params]
n     = { default = 100, min = 0, max = 268435456, label = "elements n" }
block = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "iota" }
out = { type = "int", count = "n" }

[arrays]
s = { shape = ["2", "block"] }

[[launch]]
kernel = "reverse"
grid   = ["max(1, ceil_div(n, 2 * block))"]
block  = ["block"]
shared = "8 * block"
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "reverse(in, 2 * block)"
---*/
#include <cuda_pipeline.h>

// Each block reverses a tile of two elements for each thread.
__global__ void reverse(const int* in, int* out, unsigned n) {
    extern __shared__ int s[];
    unsigned size = 2 * blockDim.x, first = blockIdx.x * size;
    unsigned count = min(size, n - first);
    for (unsigned t = threadIdx.x; t < count; t += blockDim.x)
        __pipeline_memcpy_async(&s[t], &in[first + t], sizeof(int));
    __pipeline_commit();
    // Here the thread can work on something else: the copies are on their way.
    __pipeline_wait_prior(0);  // this thread's copies are done
    __syncthreads();           // those of all threads are
    for (unsigned t = threadIdx.x; t < count; t += blockDim.x)
        out[first + t] = s[count - 1 - t];
}
