/*--- lanescope
title = "A tree over several blocks, with block barriers"

[params]
n     = { default = 256, choices = [256, 512, 1024, 2048, 4096, 8192, 16384], label = "leaves n" }
block = { default = 64, choices = [32, 64, 128, 256], label = "block size" }

[buffers]
in   = { type = "int", count = "n", init = "constant(2)" }
tree = { type = "int", count = "2 * n", init = "zero" }
out  = { type = "int", count = "1" }

[[launch]]
kernel = "reduce"
grid   = ["n / block"]
block  = ["block"]
args   = ["in", "tree", "out", "n"]

[[expect]]
problems = ["race"]
---*/
// tree[1] is the root; tree[2 * i] and tree[2 * i + 1] are the children of tree[i]; the last n cells are the leaves.
__global__ void reduce(const int* in, int* tree, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    tree[n + i] = in[i];

    for (unsigned first = n / 2; first >= 1; first /= 2) {
        __syncthreads();  // of this block only
        if (i >= first && i < 2 * first)
            tree[i] = tree[2 * i] + tree[2 * i + 1];
    }

    if (i == 1)
        out[0] = tree[1];
}
