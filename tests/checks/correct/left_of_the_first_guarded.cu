/*--- lanescope
title = "The first element has no neighbour on its left"

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
    int i = threadIdx.x;
    out[i] = in[i] - (i > 0 ? in[i - 1] : 0);
}
