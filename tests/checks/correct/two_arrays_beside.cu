/*--- lanescope
title = "Two arrays beside each other in dynamic shared memory"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
shared = "512"
args   = ["in", "out"]
---*/
__global__ void k(const int* in, int* out) {
    extern __shared__ int memory[];
    int* values = memory;
    int* squares = memory + 64;
    int t = threadIdx.x;
    values[t] = in[t];
    squares[t] = in[t] * in[t];
    __syncthreads();
    out[t] = values[63 - t] + squares[t];
}
