/*--- lanescope
title = "An insertion runs out of a local array"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "16" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["16"]
args   = ["in", "out"]

[[expect]]
problems = ["out_of_bounds"]
---*/
// Finds: out_of_bounds (a)
__global__ void k(const int* in, int* out) {
    int best[4] = {0, 0, 0, 0};
    for (int i = 0; i < 4; ++i) {
        int value = in[4 * threadIdx.x + i], at = 0;
        while (best[at] > value) ++at;
        for (int j = 4; j > at; --j)
            best[j] = best[j - 1];  // (a)
        best[at] = value;
    }
    out[threadIdx.x] = best[in[0]];
}
