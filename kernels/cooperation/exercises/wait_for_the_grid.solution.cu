/*--- lanescope
title = "Wait for the whole grid (solution)"
exercise = "cooperation/wait_for_the_grid"

[params]
n     = { default = 80, min = 1, max = 4096, label = "elements n" }
block = { default = 32, choices = [32, 64, 128], label = "block size" }

[buffers]
a = { type = "int", count = "n", init = "random(0, 99)" }

[[launch]]
kernel      = "reverse"
grid        = ["ceil_div(n, block)"]
block       = ["block"]
args        = ["a", "n"]
cooperative = true

[[expect]]
buffer = "a"
equals = "reverse(a, n)"
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
