/*--- lanescope
title = "An index below a local array leads out of the thread's memory"

[params]
offset = { default = -1, min = -100, max = 100 }

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out", "offset"]

[[expect]]
problems = ["out_of_bounds"]
---*/
// Finds: out_of_bounds (a)
// Also: uninitialised (a)
__global__ void k(const int* in, int* out, int offset) {
    int own[256];
    int t = threadIdx.x;
    own[0] = in[t];
    own[t + 1] = t;
    out[t] = own[offset] + own[t];  // (a)
}
