/*--- lanescope
title = "A fence between the data and the flag"

[buffers]
in   = { type = "int", count = "2", init = "iota" }
out  = { type = "int", count = "2" }
flag = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "k"
grid   = ["2"]
block  = ["1"]
args   = ["in", "out", "flag"]
---*/
__global__ void k(const int* in, int* out, volatile int* flag) {
    if (blockIdx.x == 0) {

        out[0] = in[0] + 1;
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        out[1] = out[0];
    }
}
