/*--- lanescope
title = "A count in shared memory begins with zero"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "1" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]
---*/
__global__ void k(const int* in, int* out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (in[threadIdx.x] % 3 == 0) atomicAdd(&count, 1);
    __syncthreads();
    if (threadIdx.x == 0) out[0] = count;
}
