/*--- lanescope
title = "A missing guard"

[buffers]
a = { type = "int", count = "40", init = "iota" }
b = { type = "float", shape = ["2", "3"] }

[[launch]]
kernel = "scale"
grid   = ["1"]
block  = ["64"]
args   = ["a", "b"]
---*/
__global__ void scale(int* a, float* b) {
    int i = threadIdx.x;
    a[i] *= 2;
    if (i < 4) b[i] = a[i] / 3.0f;
}
