/*--- lanescope
title = "A count in shared memory begins with nothing"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "1" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
problems = ["uninitialised"]
---*/
// Finds: uninitialised (a)
__global__ void k(const int* in, int* out) {
    __shared__ int count;


    if (in[threadIdx.x] % 3 == 0) atomicAdd(&count, 1);  // (a)
    __syncthreads();
    if (threadIdx.x == 0) out[0] = count;
}
