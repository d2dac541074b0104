/*--- lanescope
title = "Memory of the device heap is freed at the end"

[buffers]
in  = { type = "int", count = "4", init = "iota" }
out = { type = "int", count = "4" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["4"]
args   = ["in", "out"]
---*/
__global__ void k(const int* in, int* out) {
    int* list = static_cast<int*>(malloc(4 * sizeof(int)));
    for (int i = 0; i < 4; ++i)
        list[i] = in[i] + threadIdx.x;

    out[threadIdx.x] = list[3];
    free(list);
}
