/*--- lanescope
title = "__syncwarp with all lanes, in one half of the warp"

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
// Finds: unsynced_lanes (a) (b)
__global__ void halves(const int* in, int* out) {
    __shared__ int s[32];
    unsigned lane = threadIdx.x;
    s[lane] = in[lane];
    if (lane < 16) {
        __syncwarp();              // (a) 0x0000ffff was meant
        out[lane] = s[15 - lane];
    } else {
        __syncwarp(0xffff0000);
        out[lane] = s[47 - lane];
    }
}                                  // (b)
