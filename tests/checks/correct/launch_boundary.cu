/*--- lanescope
title = "The next launch reads what all blocks wrote"

[buffers]
a   = { type = "int", count = "128", init = "iota" }
out = { type = "int", count = "128" }

[[launch]]
kernel = "twice"
grid   = ["4"]
block  = ["32"]
args   = ["a"]

[[launch]]
kernel = "smooth"
grid   = ["4"]
block  = ["32"]
args   = ["a", "out", "a.count"]
---*/
__global__ void twice(int* a) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 2 * a[i];
}
__global__ void smooth(const int* a, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a[i] + (i + 1 < n ? a[i + 1] : 0);
}
