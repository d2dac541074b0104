/*--- lanescope
title = "Each half of a warp syncs with its own mask"

[buffers]
in  = { type = "int", count = "32", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "reverse_halves"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "reverse(in, 16)"
---*/
__global__ void reverse_halves(const int* in, int* out) {
    __shared__ int s[32];
    unsigned lane = threadIdx.x;
    s[lane] = in[lane];
    if (lane < 16) {
        __syncwarp(0x0000ffff);
        out[lane] = s[15 - lane];
    } else {
        __syncwarp(0xffff0000);
        out[lane] = s[47 - lane];
    }
}
