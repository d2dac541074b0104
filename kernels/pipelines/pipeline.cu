/*--- lanescope
title = "A ring of tiles"
arch  = "sm_80"

[params]
n      = { default = 180, min = 0, max = 268435456, label = "elements n" }
stages = { default = 3, min = 1, max = 8, label = "stages of the ring" }
blocks = { default = 1, min = 1, max = 65536, label = "blocks" }
block  = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "iota" }
out = { type = "int", count = "n" }

[arrays]
ring = { shape = ["stages", "block"], axes = ["stage", "t"] }

[[launch]]
kernel = "reverse"
grid   = ["blocks"]
block  = ["block"]
shared = "4 * stages * block"
args   = ["in", "out", "n", "stages"]

[[expect]]
buffer = "out"
equals = "reverse(in, block)"
---*/
#include <cuda_pipeline.h>

// Reverses each tile of blockDim.x elements. A block takes every gridDim.x-th tile.
__global__ void reverse(const int* in, int* out, unsigned n, unsigned stages) {
    extern __shared__ int ring[];  // of `stages` tiles
    unsigned t = threadIdx.x, size = blockDim.x, stride = gridDim.x * size;
    unsigned fetched = blockIdx.x * size, used = fetched;
    for (unsigned k = 0; used < n; ++k) {
        if (fetched + t < n)
            __pipeline_memcpy_async(&ring[k % stages * size + t], &in[fetched + t], sizeof(int));
        __pipeline_commit();  // one group for each tile, perhaps an empty one
        fetched += stride;
        if (k + 1 < stages)
            continue;  // first fill the ring
        __pipeline_wait_prior(stages - 1);
        __syncthreads();  // the oldest tile is there
        unsigned count = min(size, n - used);
        if (t < count)
            out[used + t] = ring[(k + 1) % stages * size + count - 1 - t];
        used += stride;
        __syncthreads();  // it is used up
    }
}
