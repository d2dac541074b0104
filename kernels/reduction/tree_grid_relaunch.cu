/*--- lanescope
title = "A tree over several blocks, one launch per level"

[params]
n     = { default = 256, choices = [64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 65536, 1048576, 16777216], label = "leaves n" }
block = { default = 64, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in   = { type = "int", count = "n", init = "constant(2)" }
tree = { type = "int", count = "2 * n" }
out  = { type = "int", count = "1" }

[[launch]]
kernel = "load"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["in", "tree", "n"]

[[launch]]
kernel = "level"
repeat = "first = n / 2; first >= 1; first / 2"
grid   = ["ceil_div(first, block)"]
block  = ["block"]
args   = ["tree", "out", "first"]

[[expect]]
buffer = "out"
equals = "sum(in)"
---*/
// tree[1] is the root; tree[2 * i] and tree[2 * i + 1] are the children of tree[i]; the last n cells are the leaves.
__global__ void load(const int* in, int* tree, unsigned n) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n)
        tree[n + t] = in[t];
}

// Computes one level: the nodes from first to 2 * first - 1.
__global__ void level(int* tree, int* out, unsigned first) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= first)
        return;
    unsigned i = first + t;
    tree[i] = tree[2 * i] + tree[2 * i + 1];
    if (i == 1)
        out[0] = tree[1];
}
