/*--- lanescope
title = "A barrier for the whole grid"

[params]
n     = { default = 80, min = 0, max = 65536, label = "elements n" }
block = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
a = { type = "int", count = "n", init = "iota" }

[[launch]]
kernel      = "reverse"
grid        = ["max(1, ceil_div(n, block))"]
block       = ["block"]
args        = ["a", "n"]
cooperative = true

[[expect]]
buffer = "a"
equals = "reverse(a, max(1, n))"
---*/
#include <cooperative_groups.h>

__global__ void reverse(int* a, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = 0;
    if (i < n)
        mine = a[n - 1 - i];
    cooperative_groups::this_grid().sync();
    if (i < n)
        a[i] = mine;
}
