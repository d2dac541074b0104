/*--- lanescope
title = "Doubles before an odd number of integers"

[buffers]
in  = { type = "double", count = "32", init = "iota" }
out = { type = "double", count = "32" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
shared = "400"
args   = ["in", "out"]
---*/
__global__ void k(const double* in, double* out) {
    extern __shared__ double memory[];
    double* values = memory;
    int* numbers = reinterpret_cast<int*>(memory + 32);
    int t = threadIdx.x;
    values[t] = in[t];
    numbers[t] = t;
    __syncwarp();
    out[t] = values[31 - t] + numbers[31 - t];
}
