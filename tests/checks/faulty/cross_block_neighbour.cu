/*--- lanescope
title = "Reading a cell that another block writes"

[buffers]
a   = { type = "int", count = "128", init = "iota" }
out = { type = "int", count = "128" }

[[launch]]
kernel = "smooth"
grid   = ["4"]
block  = ["32"]
args   = ["a", "out", "a.count"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (b)
__global__ void smooth(int* a, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 2 * a[i];                             // (a)
    __syncthreads();
    out[i] = a[i] + (i + 1 < n ? a[i + 1] : 0);  // (b) the last thread's neighbour is in the next block
}
