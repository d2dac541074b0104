/*--- lanescope
title = "The second half of a buffer is never written"

[buffers]
in   = { type = "int", count = "32", init = "iota" }
temp = { type = "int", count = "64" }
out  = { type = "int", count = "64" }

[[launch]]
kernel = "fill"
grid   = ["1"]
block  = ["32"]
args   = ["in", "temp"]

[[launch]]
kernel = "copy"
grid   = ["2"]
block  = ["32"]
args   = ["temp", "out"]

[[expect]]
problems = ["uninitialised"]
---*/
// Finds: uninitialised (a)
__global__ void fill(const int* in, int* temp) {
    temp[threadIdx.x] = in[threadIdx.x];
}
__global__ void copy(const int* temp, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = temp[i];  // (a)
}
