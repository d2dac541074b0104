/*--- lanescope
title = "Tree sum over several blocks that meet at the grid's barrier"

[buffers]
tree = { type = "int", count = "512", init = "constant(1)" }

[[launch]]
kernel = "reduce"
grid   = ["4"]
block  = ["64"]
args   = ["tree", "256"]
cooperative = true
---*/
#include <cooperative_groups.h>
__global__ void reduce(int* tree, unsigned n) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned r = n / 2; r >= 1; r /= 2) {
        if (i < r)
            tree[r + i] = tree[2 * (r + i)] + tree[2 * (r + i) + 1];
        grid.sync();
    }
}
