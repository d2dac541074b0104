/*--- lanescope
title = "Stream compaction"

[params]
n = { default = 16, min = 0, max = 1024, label = "elements n, one per thread" }

[buffers]
in   = { type = "int", count = "n", values = [3, 1, 7, 0, 4, 1, 6, 3] }
out  = { type = "int", count = "n" }
kept = { type = "uint", count = "1" }

[[launch]]
kernel = "compact"
grid   = ["1"]
block  = ["max(1, n)"]
args   = ["in", "out", "kept", "n"]

[[expect]]
buffer = "out"
equals = "compact(in, x > 3)"

[[expect]]
buffer = "kept"
equals = "count_if(in, x > 3)"
---*/
// Keeps the elements that are greater than 3, in their order.
__global__ void compact(const int* in, int* out, unsigned* kept, unsigned n) {
    __shared__ unsigned s[1024];
    unsigned t = threadIdx.x;
    bool keep = t < n && in[t] > 3;
    s[t] = keep;
    __syncthreads();

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned left = t >= stride ? s[t - stride] : 0;
        __syncthreads();
        s[t] += left;
        __syncthreads();
    }

    if (keep)
        out[s[t] - 1] = in[t];
    if (t == blockDim.x - 1)
        *kept = s[t];
}
