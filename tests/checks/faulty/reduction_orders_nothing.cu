/*--- lanescope
title = "A reduction of the warp taken for a barrier"
arch = "sm_90"

[buffers]
in  = { type = "int", count = "32", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]
---*/
// Notes: unsynced_lanes (a) (b)
__global__ void k(const int* in, int* out) {
    __shared__ int s[32];
    int lane = threadIdx.x;
    s[lane] = in[lane];                                // (a)
    int most = __reduce_max_sync(0xffffffffu, in[lane]);
    out[lane] = s[31 - lane] + (most < 0 ? 1 : 0);  // (b)
}
