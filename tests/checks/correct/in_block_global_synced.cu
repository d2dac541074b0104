/*--- lanescope
title = "The block's barrier orders global memory, too"

[buffers]
a   = { type = "int", count = "128", init = "iota" }
out = { type = "int", count = "128" }

[[launch]]
kernel = "reverse"
grid   = ["1"]
block  = ["128"]
args   = ["a", "out"]
---*/
__global__ void reverse(int* a, int* out) {
    unsigned t = threadIdx.x;
    a[t] = 2 * a[t];
    __syncthreads();
    out[t] = a[127 - t];
}
