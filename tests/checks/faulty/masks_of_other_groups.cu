/*--- lanescope
title = "Each group of lanes gives the mask of another group"

[buffers]
in  = { type = "int", count = "128", init = "iota" }
out = { type = "int", count = "128" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
problems = ["unsynced_lanes"]
---*/
// Finds: unsynced_lanes (a)
__global__ void k(const int* in, int* out) {
    int t = threadIdx.x;
    unsigned mask = 0xffu << (t / 8 * 8 + 8) % 32;
    int v = in[t];
    v += __shfl_xor_sync(mask, v, 4, 8);  // (a)
    out[t] = v;
}
