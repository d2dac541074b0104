/*--- lanescope
title = "A row times a pitch, in 64 bits"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out", "67108865"]
---*/
__global__ void k(const int* in, int* out, int pitch) {
    int row = threadIdx.x;
    long long at = 1LL * row * pitch;
    out[row] = in[at % 64];
}
