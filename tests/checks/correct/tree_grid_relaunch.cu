/*--- lanescope
title = "Tree sum over several blocks, one launch per level"

[buffers]
tree = { type = "int", count = "512", init = "constant(1)" }

[[launch]]
kernel = "level"
grid   = ["4"]
block  = ["64"]
args   = ["tree", "r"]
repeat = "r = 128; r >= 1; r / 2"
---*/
__global__ void level(int* tree, unsigned r) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < r)
        tree[r + i] = tree[2 * (r + i)] + tree[2 * (r + i) + 1];
}
