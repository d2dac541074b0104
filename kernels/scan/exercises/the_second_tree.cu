/*--- lanescope
title = "The second tree"
exercise = "scan/the_second_tree"

[params]
n = { default = 64, min = 2, max = 1024, label = "elements n, two per thread" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "scan"
grid   = ["1"]
block  = ["pow2(log2(n - 1))"]
shared = "8 * pow2(log2(n - 1))"
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "prefix_inclusive(in)"
---*/
__global__ void scan(const int* in, int* out, unsigned n) {
    extern __shared__ int s[];
    unsigned t = threadIdx.x;
    unsigned size = 2 * blockDim.x;
    s[t] = t < n ? in[t] : 0;
    s[t + blockDim.x] = t + blockDim.x < n ? in[t + blockDim.x] : 0;

    for (unsigned stride = 1; stride < size; stride *= 2) {
        __syncthreads();
        unsigned index = 2 * stride * (t + 1) - 1;
        if (index < size)
            s[index] += s[index - stride];
    }

    // TODO: the second tree

    __syncthreads();
    if (t < n)
        out[t] = s[t];
    if (t + blockDim.x < n)
        out[t + blockDim.x] = s[t + blockDim.x];
}
