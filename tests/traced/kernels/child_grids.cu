/*--- lanescope
title = "Kernels that launch kernels that launch kernels"

[buffers]
out = { type = "int", count = "32", init = "constant(0)" }

[[launch]]
kernel = "first"
grid   = ["1"]
block  = ["2"]
args   = ["out"]

[[launch]]
kernel = "last"
grid   = ["1"]
block  = ["32"]
args   = ["out", 0]
---*/
__global__ void last(int* out, int add) { out[threadIdx.x] += add + 1; }

__global__ void second(int* out, int row) {
    out[threadIdx.x] = row * 100 + threadIdx.x;
    if (threadIdx.x == 0) last<<<1, 8>>>(out, row);
}
__global__ void first(int* out) {
    second<<<1, 8>>>(out + threadIdx.x * 8, threadIdx.x);
    if (threadIdx.x == 1) last<<<1, 4>>>(out + 24 - 8, 1000);
}
