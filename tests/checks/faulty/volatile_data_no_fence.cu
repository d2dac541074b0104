/*--- lanescope
title = "Volatile data behind a volatile flag"

[buffers]
data = { type = "int", count = "1", init = "zero" }
flag = { type = "int", count = "1", init = "zero" }
out  = { type = "int", count = "1" }

[[launch]]
kernel = "k"
grid   = ["2"]
block  = ["1"]
args   = ["data", "flag", "out"]
---*/
// Notes: race (a) (b)
__global__ void k(volatile int* data, volatile int* flag, int* out) {
    if (blockIdx.x == 0) {
        data[0] = 7;            // (a)
        flag[0] = 1;
    } else {
        while (flag[0] == 0) {
        }
        out[0] = data[0];  // (b)
    }
}
