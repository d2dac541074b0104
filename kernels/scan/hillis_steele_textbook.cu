/*--- lanescope
title = "Hillis and Steele's scan, as textbooks print it"
[params]
n = { default = 64, min = 2, max = 1024, label = "elements n, one per thread" }
[buffers]
in  = { type = "int", count = "n", values = [3, 1, 7, 0, 4, 1, 6, 3] }
out = { type = "int", count = "n" }

[[launch]]
kernel = "scan"
grid   = ["1"]
block  = ["n"]
shared = "n * 4"
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "prefix_inclusive(in)"
problems = ["barrier_divergence"]
---*/
__global__ void scan(const int* in, int* out) {
    extern __shared__ int s[];
    unsigned t = threadIdx.x;
    s[t] = in[t];

    for (unsigned stride = 1; stride <= t; stride *= 2) {
        __syncthreads();
        int left = s[t - stride];
        __syncthreads();
        s[t] += left;
    }

    out[t] = s[t];
}
