/*--- lanescope
title = "A flag with fences on both sides"

[buffers]
data = { type = "int", count = "1" }
flag = { type = "int", count = "1", init = "zero" }
out  = { type = "int", count = "1" }

[[launch]]
kernel = "hand_over"
grid   = ["2"]
block  = ["1"]
args   = ["data", "flag", "out"]

[[expect]]
buffer = "out"
values = [42]
---*/
__global__ void hand_over(int* data, volatile int* flag, int* out) {
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        *out = *data;
    }
}
