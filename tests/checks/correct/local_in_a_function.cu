/*--- lanescope
title = "A function sums up the local array of its caller"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "copy(in)"
---*/
__device__ int sum_of(const int* list) {
    int sum = 0;
    for (int i = 0; i < 4; ++i)
        sum += list[i];
    return sum;
}
__global__ void k(const int* in, int* out) {
    __shared__ const int* lists[64];
    int list[4];
    for (int i = 0; i < 4; ++i)
        list[i] = in[threadIdx.x] * (i == in[0] ? 1 : in[0]);
    lists[threadIdx.x] = list;
    __syncthreads();
    out[threadIdx.x] = sum_of(lists[threadIdx.x]);
}
