/*--- lanescope
title = "Atomic operations in shared memory"

[params]
cells  = { default = 32, choices = [1, 4, 32], label = "cells" }
rounds = { default = 4, min = 1, max = 4096, label = "additions per thread" }
blocks = { default = 2, min = 1, max = 65536, label = "blocks" }
block  = { default = 64, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
counts = { type = "uint", count = "cells", init = "zero" }

[[launch]]
kernel = "count"
grid   = ["blocks"]
block  = ["block"]
args   = ["counts", "cells", "rounds"]

[[expect]]
buffer = "counts"
equals = "constant(blocks * block / cells * rounds)"
---*/
__global__ void count(unsigned* counts, unsigned cells, unsigned rounds) {
    __shared__ unsigned s[32];
    unsigned cell = threadIdx.x % cells;
    if (threadIdx.x < cells)
        s[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned k = 0; k < rounds; ++k)
        atomicAdd(&s[cell], 1);
    __syncthreads();
    if (threadIdx.x < cells)
        atomicAdd(&counts[threadIdx.x], s[threadIdx.x]);
}
