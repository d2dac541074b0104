/*--- lanescope
title = "A pointer to another thread's local array"

[buffers]
in  = { type = "int", count = "32", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
problems = ["out_of_bounds"]
---*/
// Finds: out_of_bounds (a)
__global__ void k(const int* in, int* out) {
    __shared__ const int* where[32];
    int mine[2] = {in[threadIdx.x], 7};
    where[threadIdx.x] = mine;
    __syncthreads();
    out[threadIdx.x] = where[31 - threadIdx.x][in[0]];  // (a)
}
