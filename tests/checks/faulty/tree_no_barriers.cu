/*--- lanescope
title = "Tree sum in one launch, without barriers"

[buffers]
in  = { type = "int", count = "256", init = "constant(1)" }
out = { type = "int", count = "1" }

[[launch]]
kernel = "reduce"
grid   = ["1"]
block  = ["256"]
args   = ["in", "out"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (b) (b)
// Also: race (a) (b); race (b) (c); unsynced_lanes (a) (b); unsynced_lanes (b) (b); unsynced_lanes (b) (c); uninitialised (b); uninitialised (c)
__global__ void reduce(const int* in, int* out) {
    __shared__ int tree[512];
    unsigned t = threadIdx.x;
    tree[blockDim.x + t] = in[t];                      // (a)

    for (unsigned r = blockDim.x / 2; r >= 1; r /= 2)
        if (t < r)
            tree[r + t] = tree[2 * (r + t)] + tree[2 * (r + t) + 1];  // (b)

    if (t == 0) out[0] = tree[1];                      // (c)
}
