/*--- lanescope
title = "Lanes read what other lanes have just written"

[buffers]
in  = { type = "int", count = "32", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "reverse"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
problems = ["unsynced_lanes"]
---*/
// Finds: unsynced_lanes (a) (b)
__global__ void reverse(const int* in, int* out) {
    __shared__ int s[32];
    unsigned lane = threadIdx.x;
    s[lane] = in[lane];          // (a)
    out[lane] = s[31 - lane];    // (b)
}
