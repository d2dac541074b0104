/*--- lanescope
title = "Doubles behind an odd number of integers"

[buffers]
in  = { type = "double", count = "32", init = "iota" }
out = { type = "double", count = "32" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
shared = "400"
args   = ["in", "out"]

[[expect]]
problems = ["misaligned"]
---*/
// Finds: misaligned (a)
// Also: misaligned (b)
__global__ void k(const double* in, double* out) {
    extern __shared__ double memory[];
    double* values = reinterpret_cast<double*>(reinterpret_cast<int*>(memory) + 33);
    int* numbers = reinterpret_cast<int*>(memory);
    int t = threadIdx.x;
    values[t] = in[t];  // (a)
    numbers[t] = t;
    __syncwarp();
    out[t] = values[31 - t] + numbers[31 - t];  // (b)
}
