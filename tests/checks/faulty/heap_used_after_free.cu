/*--- lanescope
title = "Memory of the device heap is used after it was freed"

[buffers]
in  = { type = "int", count = "4", init = "iota" }
out = { type = "int", count = "4" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["4"]
args   = ["in", "out"]

[[expect]]
problems = ["out_of_bounds"]
---*/
// Finds: out_of_bounds (a)
__global__ void k(const int* in, int* out) {
    int* list = static_cast<int*>(malloc(4 * sizeof(int)));
    for (int i = 0; i < 4; ++i)
        list[i] = in[i] + threadIdx.x;
    free(list);
    out[threadIdx.x] = list[3];  // (a)

}
