/*--- lanescope
title = "Atomic operations in global memory"

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
    unsigned cell = threadIdx.x % cells;
    for (unsigned k = 0; k < rounds; ++k)
        atomicAdd(&counts[cell], 1);
}
