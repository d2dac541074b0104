/*--- lanescope
title = "Counting without atomics"

[buffers]
in   = { type = "int", count = "256", init = "random(0, 7)" }
bins = { type = "int", count = "8", init = "zero" }

[[launch]]
kernel = "histogram"
grid   = ["2"]
block  = ["128"]
args   = ["in", "bins"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (a)
// Also: unsynced_lanes (a) (a)
__global__ void histogram(const int* in, int* bins) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int bin = in[i];
    bins[bin] = bins[bin] + 1;  // (a)
}
