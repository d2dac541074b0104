/*--- lanescope
title = "A pointer to one's own local array, through shared memory"

[buffers]
in  = { type = "int", count = "32", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "copy(in)"
---*/
__global__ void k(const int* in, int* out) {
    __shared__ const int* where[32];
    int mine[2] = {in[threadIdx.x], 7};
    where[threadIdx.x] = mine;
    __syncthreads();
    out[threadIdx.x] = where[threadIdx.x][in[0]];
}
