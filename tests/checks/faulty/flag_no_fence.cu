/*--- lanescope
title = "A flag without a fence"

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
problems = ["race"]
---*/
// Finds: race (a) (b)
__global__ void hand_over(int* data, volatile int* flag, int* out) {
    if (blockIdx.x == 0) {
        *data = 42;              // (a)
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        *out = *data;            // (b)
    }
}
