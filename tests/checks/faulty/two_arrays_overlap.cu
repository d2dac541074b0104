/*--- lanescope
title = "Two arrays in dynamic shared memory overlap by one element"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
shared = "512"
args   = ["in", "out"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (b)
__global__ void k(const int* in, int* out) {
    extern __shared__ int memory[];
    int* values = memory;
    int* squares = memory + 63;
    int t = threadIdx.x;
    values[t] = in[t];  // (a)
    squares[t] = in[t] * in[t];  // (b)
    __syncthreads();
    out[t] = values[63 - t] + squares[t];
}
