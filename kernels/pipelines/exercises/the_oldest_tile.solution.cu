/*--- lanescope
title = "Wait for the oldest tile (solution)"
exercise = "pipelines/the_oldest_tile"
arch = "sm_80"

[params]
n     = { default = 300, min = 1, max = 65536, label = "elements n" }
block = { default = 64, choices = [32, 64, 128], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 99)" }
out = { type = "int", count = "ceil_div(n, block)", init = "zero" }

[[launch]]
kernel = "sums"
grid   = ["1"]
block  = ["block"]
shared = "12 * block"
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "block_sums(in, block)"
---*/
#include <cuda_pipeline.h>

// out[k] becomes the sum of tile k. Each thread adds the element that its neighbour has copied.
__global__ void sums(const int* in, int* out, unsigned n) {
    extern __shared__ int ring[];  // of three tiles
    unsigned t = threadIdx.x, size = blockDim.x, next = (t + 1) % size;
    unsigned tiles = (n + size - 1) / size;
    for (unsigned k = 0; k < tiles + 2; ++k) {
        unsigned i = k * size + t;
        if (i < n)
            __pipeline_memcpy_async(&ring[k % 3 * size + t], &in[i], sizeof(int));
        __pipeline_commit();
        if (k < 2)
            continue;
        unsigned used = k - 2;
        __pipeline_wait_prior(2);
        __syncthreads();
        if (used * size + next < n)
            atomicAdd(&out[used], ring[used % 3 * size + next]);
        __syncthreads();
    }
}
