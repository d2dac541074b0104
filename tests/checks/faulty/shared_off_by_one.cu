/*--- lanescope
title = "A tile without room for its halo"

[buffers]
in  = { type = "int", count = "65", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "difference"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
problems = ["out_of_bounds"]
---*/
// Finds: out_of_bounds (a)
// Also: out_of_bounds (b)
__global__ void difference(const int* in, int* out) {
    __shared__ int tile[64];
    unsigned t = threadIdx.x;
    tile[t] = in[t];
    if (t == 63) tile[t + 1] = in[t + 1];  // (a)
    __syncthreads();
    out[t] = tile[t + 1] - tile[t];        // (b)
}
