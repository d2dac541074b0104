/*--- lanescope
title = "__syncwarp with the other half's mask"

[buffers]
in  = { type = "int", count = "32", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "halves"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
problems = ["unsynced_lanes"]
---*/
// Finds: unsynced_lanes (a)
// Also: unsynced_lanes (b) (c)
__global__ void halves(const int* in, int* out) {
    __shared__ int s[32];
    unsigned lane = threadIdx.x;
    s[lane] = in[lane];                    // (b)
    if (lane < 16) {
        __syncwarp(0xffff0000);            // (a) 0x0000ffff was meant
        out[lane] = s[15 - lane];          // (c)
    }
}
