/*--- lanescope
title = "A shuffle taken for a barrier"

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
    s[lane] = in[lane];                                 // (a)
    int next = __shfl_down_sync(0xffffffffu, lane, 1);
    out[lane] = s[31 - lane] + (next < 0 ? 1 : 0);  // (b)
}
