/*--- lanescope
title = "The remainder of an unsigned product"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]
---*/
__global__ void k(const int* in, int* out) {
    unsigned hash = in[threadIdx.x] * 1103515245u;
    out[threadIdx.x] = in[hash % 64];
}
