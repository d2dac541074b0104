/*--- lanescope
title = "The device's heap is full, and no one asks"

[buffers]
in  = { type = "int", count = "1", init = "iota" }
out = { type = "int", count = "1" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["1"]
args   = ["in", "out"]

[[expect]]
problems = ["out_of_bounds"]
---*/
// Finds: out_of_bounds (a)
__global__ void k(const int* in, int* out) {
    int lists = 0;
    for (int i = 0; i < 100; ++i) {
        int* list = static_cast<int*>(malloc(1 << 20));
        list[0] = in[0];  // (a)
        ++lists;
    }
    out[0] = lists;
}
