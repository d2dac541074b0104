/*--- lanescope
title = "A sum that begins with nothing"

[buffers]
in  = { type = "int", count = "128", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "sums"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
problems = ["uninitialised"]
---*/
// Finds: uninitialised (a)
// Only: debug (optimised code has no register for a value that was never set)
__global__ void sums(const int* in, int* out) {
    int sum;
    for (int k = 0; k < 4; ++k)
        sum += in[4 * threadIdx.x + k];
    out[threadIdx.x] = sum;  // (a)
}
