/*--- lanescope
title = "Equal shares (solution)"
exercise = "performance/equal_shares"

[params]
n = { default = 128, min = 2, max = 4096, label = "elements n, an even number" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "prefix_sums"
grid   = ["ceil_div(n / 2, 32)"]
block  = ["32"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "prefix_inclusive(in)"
---*/
__device__ int sum_up_to(const int* in, int last) {
    int sum = 0;
    for (int k = 0; k <= last; ++k)
        sum += in[k];
    return sum;
}

__global__ void prefix_sums(const int* in, int* out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n / 2) {
        out[t] = sum_up_to(in, t);
        out[n - 1 - t] = sum_up_to(in, n - 1 - t);
    }
}
