/*--- lanescope
title = "Keep the order"
exercise = "sorting/keep_the_order"

[params]
n    = { default = 16, min = 0, max = 1024, label = "elements n, one per thread" }
bits = { default = 4, min = 1, max = 16, label = "bits of a key" }

[buffers]
a = { type = "uint", count = "n", init = "random(0, pow2(bits) - 1)" }

[[launch]]
kernel = "split"
repeat = "bit = 0; bit < bits; bit + 1"
grid   = ["1"]
block  = ["max(1, n)"]
args   = ["a", "n", "bit"]

[[expect]]
buffer = "a"
equals = "sort(a)"
---*/
// Moves the keys whose bit is 0 before those whose bit is 1. Keys with the same bit stay in their order.
__global__ void split(unsigned* a, unsigned n, unsigned bit) {
    __shared__ unsigned s[1024];
    unsigned t = threadIdx.x;
    unsigned key = t < n ? a[t] : 0;
    unsigned one = key >> bit & 1;
    s[t] = one;
    __syncthreads();

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned left = t >= stride ? s[t - stride] : 0;
        __syncthreads();
        s[t] += left;
        __syncthreads();
    }

    unsigned zeros = n - s[blockDim.x - 1];
    unsigned before = s[t] - one;
    unsigned place = one ? n - 1 - before : t - before;
    if (t < n)
        a[place] = key;
}
