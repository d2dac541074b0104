/*--- lanescope
title = "Adding to what nobody has cleared"

[buffers]
in  = { type = "int", count = "64", init = "random(0, 7)" }
bins = { type = "int", count = "8" }

[[launch]]
kernel = "histogram"
grid   = ["1"]
block  = ["64"]
args   = ["in", "bins"]

[[expect]]
problems = ["uninitialised"]
---*/
// Finds: uninitialised (a)
__global__ void histogram(const int* in, int* bins) {
    atomicAdd(&bins[in[threadIdx.x]], 1);  // (a)
}
