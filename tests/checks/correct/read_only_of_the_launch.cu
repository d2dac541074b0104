/*--- lanescope
title = "A read-only load of what the launch leaves alone"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["2"]
block  = ["32"]
args   = ["in", "out"]
---*/
__global__ void k(const int* in, int* out) {
    int i = blockIdx.x * 32 + threadIdx.x;

    int other = __ldg(&in[63 - i]);
    out[i] = other + in[i];
}
