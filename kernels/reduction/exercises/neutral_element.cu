/*--- lanescope
title = "The neutral element"
exercise = "reduction/neutral_element"

[params]
n     = { default = 100, min = 1, max = 100000, label = "elements n" }
block = { default = 64, choices = [32, 64, 128, 256], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(-99, -1)" }
out = { type = "int", count = "1" }

[[launch]]
kernel = "reduce"
grid   = ["1"]
block  = ["block"]
shared = "block * 4"
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "max(in)"
---*/
#include <climits>

__global__ void reduce(const int* in, int* out, unsigned n) {
    extern __shared__ int s[];
    unsigned t = threadIdx.x;

    int largest = 0;
    for (unsigned i = t; i < n; i += blockDim.x)
        largest = max(largest, in[i]);
    s[t] = largest;

    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        if (t < stride)
            s[t] = max(s[t], s[t + stride]);
    }

    if (t == 0)
        out[0] = s[0];
}
