/*--- lanescope
title = "Global memory needs the block's barrier, too"

[buffers]
a   = { type = "int", count = "128", init = "iota" }
out = { type = "int", count = "128" }

[[launch]]
kernel = "reverse"
grid   = ["1"]
block  = ["128"]
args   = ["a", "out"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (b)
__global__ void reverse(int* a, int* out) {
    unsigned t = threadIdx.x;
    a[t] = 2 * a[t];       // (a)
    out[t] = a[127 - t];   // (b)
}
