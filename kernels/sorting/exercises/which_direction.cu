/*--- lanescope
title = "Upwards or downwards?"
exercise = "sorting/which_direction"

[params]
n = { default = 16, min = 0, max = 2048, label = "elements n, two per thread" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 99)" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "sort"
grid   = ["1"]
block  = ["pow2(max(1, log2(2 * max(1, n) - 1))) / 2"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "sort(in)"
---*/
#include <limits.h>

__global__ void sort(const int* in, int* out, unsigned n) {
    __shared__ int s[2048];
    unsigned t = threadIdx.x;
    for (unsigned i = t; i < 2 * blockDim.x; i += blockDim.x)
        s[i] = i < n ? in[i] : INT_MAX;

    for (unsigned size = 2; size <= 2 * blockDim.x; size *= 2)
        for (unsigned stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            unsigned i = 2 * t - t % stride;
            int low = min(s[i], s[i + stride]);
            int high = max(s[i], s[i + stride]);
            bool up = true;  // not always
            s[i] = up ? low : high;
            s[i + stride] = up ? high : low;
        }

    __syncthreads();
    for (unsigned i = t; i < n; i += blockDim.x)
        out[i] = s[i];
}
