/*--- lanescope
title = "A tree in an array, one launch per level"

[params]
n = { default = 32, choices = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], label = "leaves n" }

[buffers]
in     = { type = "float", count = "n", init = "constant(2)" }
tree   = { type = "float", count = "2 * n" }
again  = { type = "int", count = "n", init = "zero" }
out    = { type = "float", count = "1" }

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["n"]
args   = ["in", "tree"]

[[launch]]
kernel = "level"
repeat = "first = n / 2; first >= 1; first / 2"
grid   = ["1"]
block  = ["n"]
args   = ["tree", "again", "out", "first"]

[[expect]]
buffer = "out"
equals = "product(in)"
---*/
// tree[1] is the root; tree[2 * i] and tree[2 * i + 1] are the children of tree[i]; the last n cells are the leaves.
__global__ void load(const float* in, float* tree) {
    unsigned t = threadIdx.x;
    tree[blockDim.x + t] = in[t];
}

// Computes one level: the nodes from first to 2 * first - 1. The block is the same for every level.
__global__ void level(float* tree, int* again, float* out, unsigned first) {
    unsigned t = threadIdx.x;
    if (t < first)
        return;
    float product = tree[2 * t] * tree[2 * t + 1];
    __syncthreads();
    tree[t] = product;

    if (t >= 2 * first)
        again[t] += 1;  // the node was finished before: wasted work
    if (t == 1)
        out[0] = product;
}
