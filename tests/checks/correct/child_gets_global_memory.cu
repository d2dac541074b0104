/*--- lanescope
title = "A kernel gives its child global memory"

[buffers]
in  = { type = "int", count = "4", init = "iota" }
out = { type = "int", count = "4" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["1"]
args   = ["in", "out"]
---*/
__global__ void child(const int* list, int* out) {
    out[threadIdx.x] = list[threadIdx.x];
}
__global__ void k(const int* in, int* out) {
    int list[4];
    for (int i = 0; i < 4; ++i)
        list[i] = in[i];
    child<<<1, 4>>>(in, out);
    if (list[0] < 0) out[0] = list[3];
}
