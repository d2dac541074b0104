/*--- lanescope
title = "Tree sum over several blocks, with barriers of a block only"

[buffers]
tree = { type = "int", count = "512", init = "constant(1)" }

[[launch]]
kernel = "reduce"
grid   = ["4"]
block  = ["64"]
args   = ["tree", "256"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (a)
__global__ void reduce(int* tree, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned r = n / 2; r >= 1; r /= 2) {
        if (i < r)
            tree[r + i] = tree[2 * (r + i)] + tree[2 * (r + i) + 1];  // (a)
        __syncthreads();
    }
}
