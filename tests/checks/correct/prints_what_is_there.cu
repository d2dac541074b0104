/*--- lanescope
title = "A message with a value that was written"

[buffers]
in  = { type = "int", count = "2", init = "iota" }
out = { type = "int", count = "2" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["1"]
args   = ["in", "out"]
---*/
#include <cstdio>
__global__ void k(const int* in, int* out) {
    __shared__ int sums[2];
    sums[in[0]] = in[0] + in[1];
    sums[in[1]] = in[0] - in[1];
    printf("sum %d, difference %d\n", sums[0], sums[1]);
    out[0] = out[1] = sums[0];
}
