/*--- lanescope
title = "Blelloch's scan with padding"

[params]
n = { default = 64, min = 0, max = 2048, label = "elements n, two per thread" }

[buffers]
in  = { type = "int", count = "n", values = [3, 1, 7, 0, 4, 1, 6, 3] }
out = { type = "int", count = "n" }

[[launch]]
kernel = "scan"
grid   = ["1"]
block  = ["pow2(log2(max(1, n - 1)))"]
shared = "8 * pow2(log2(max(1, n - 1))) + pow2(log2(max(1, n - 1))) / 4"
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "prefix_exclusive(in)"
---*/
__global__ void scan(const int* in, int* out, unsigned n) {
    extern __shared__ int s[];
    unsigned t = threadIdx.x;
    unsigned size = 2 * blockDim.x;
    unsigned first = t + t / 32;
    unsigned second = t + blockDim.x + (t + blockDim.x) / 32;
    s[first] = t < n ? in[t] : 0;
    s[second] = t + blockDim.x < n ? in[t + blockDim.x] : 0;

    // Up-sweep
    for (unsigned stride = 1; stride < size; stride *= 2) {
        __syncthreads();
        unsigned right = 2 * stride * (t + 1) - 1;
        unsigned left = right - stride;
        if (right < size)
            s[right + right / 32] += s[left + left / 32];
    }

    if (t == 0)
        s[size - 1 + (size - 1) / 32] = 0;

    // Down-sweep
    for (unsigned stride = blockDim.x; stride >= 1; stride /= 2) {
        __syncthreads();
        unsigned right = 2 * stride * (t + 1) - 1;
        unsigned left = right - stride;
        if (right < size) {
            left += left / 32;
            right += right / 32;
            int sum = s[left]; s[left] = s[right]; s[right] += sum;
        }
    }

    __syncthreads();
    if (t < n)
        out[t] = s[first];
    if (t + blockDim.x < n)
        out[t + blockDim.x] = s[second];
}
