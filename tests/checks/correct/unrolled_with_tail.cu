/*--- lanescope
title = "A loop unrolled by four, with its tail"

[buffers]
in  = { type = "int", count = "70", init = "iota" }
out = { type = "int", count = "70" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["16"]
args   = ["in", "out", "70"]
---*/
__global__ void k(const int* in, int* out, int n) {
    for (int i = 4 * threadIdx.x; i < n; i += 4 * blockDim.x)
        for (int j = 0; j < 4 && i + j < n; ++j)
            out[i + j] = 2 * in[i + j];
}
