/*--- lanescope
title = "The device's heap is full, and the thread stops"

[buffers]
in  = { type = "int", count = "1", init = "iota" }
out = { type = "int", count = "1" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["1"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "copy(in)"
---*/
__global__ void k(const int* in, int* out) {
    int lists = 0;
    for (int i = 0; i < 100; ++i) {
        int* list = static_cast<int*>(malloc(1 << 20));
        if (list == nullptr) break;
        list[0] = in[0];
        ++lists;
    }
    out[0] = lists < 100 ? in[0] : 1;
}
