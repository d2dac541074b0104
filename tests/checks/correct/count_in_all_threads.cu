/*--- lanescope
title = "A counting barrier that all threads reach"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]
---*/
__global__ void k(const int* in, int* out) {
    int t = threadIdx.x, positive = in[t] > 9;
    int count = 0;
    count = __syncthreads_count(in[t] > 20);
    out[t] = count + positive;
}
