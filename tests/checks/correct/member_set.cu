/*--- lanescope
title = "Each member of a structure is set"

[buffers]
in  = { type = "int", count = "32", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]
---*/
struct Range {
    int first, last;
};
__global__ void k(const int* in, int* out) {
    __shared__ Range ranges[32];
    int t = threadIdx.x;
    ranges[t].first = in[t];
    ranges[t].last = in[t] + 1;
    __syncwarp();
    out[t] = ranges[31 - t].last - ranges[31 - t].first;
}
