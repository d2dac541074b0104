/*--- lanescope
title = "Pad the tree (solution)"
exercise = "scan/pad_the_tree"

[params]
n = { default = 64, min = 2, max = 1024, label = "elements n, two per thread" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "scan"
grid   = ["1"]
block  = ["pow2(log2(n - 1))"]
shared = "8 * pow2(log2(n - 1)) + pow2(log2(n - 1)) / 4 + 4"
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "prefix_exclusive(in)"
---*/
__device__ unsigned padded(unsigned i) {
    return i + i / 32;
}

__global__ void scan(const int* in, int* out, unsigned n) {
    extern __shared__ int s[];
    unsigned t = threadIdx.x;
    unsigned size = 2 * blockDim.x;
    s[padded(t)] = t < n ? in[t] : 0;
    s[padded(t + blockDim.x)] = t + blockDim.x < n ? in[t + blockDim.x] : 0;

    for (unsigned stride = 1; stride < size; stride *= 2) {
        __syncthreads();
        unsigned right = 2 * stride * (t + 1) - 1;
        unsigned left = right - stride;
        if (right < size)
            s[padded(right)] += s[padded(left)];
    }

    if (t == 0)
        s[padded(size - 1)] = 0;

    for (unsigned stride = blockDim.x; stride >= 1; stride /= 2) {
        __syncthreads();
        unsigned right = 2 * stride * (t + 1) - 1;
        unsigned left = right - stride;
        if (right < size) {
            int sum = s[padded(left)];
            s[padded(left)] = s[padded(right)];
            s[padded(right)] += sum;
        }
    }

    __syncthreads();
    if (t < n)
        out[t] = s[padded(t)];
    if (t + blockDim.x < n)
        out[t + blockDim.x] = s[padded(t + blockDim.x)];
}
