/*--- lanescope
title = "Counting with atomics"

[buffers]
in   = { type = "int", count = "256", init = "random(0, 7)" }
bins = { type = "int", count = "8", init = "zero" }

[[launch]]
kernel = "histogram"
grid   = ["2"]
block  = ["128"]
args   = ["in", "bins"]

[[expect]]
buffer = "bins"
equals = "histogram(in, 1)"
---*/
__global__ void histogram(const int* in, int* bins) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[in[i]], 1);
}
