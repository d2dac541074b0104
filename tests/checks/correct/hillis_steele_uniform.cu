/*--- lanescope
title = "The textbook scan with a loop that all threads share"

[buffers]
in  = { type = "int", count = "8", values = [3, 1, 7, 0, 4, 1, 6, 3] }
out = { type = "int", count = "8" }

[[launch]]
kernel = "scan"
grid   = ["1"]
block  = ["8"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
values = [3, 4, 11, 11, 15, 16, 22, 25]
---*/
__global__ void scan(const int* in, int* out) {
    __shared__ int s[8];
    unsigned t = threadIdx.x;
    s[t] = in[t];

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        int left = 0;
        if (stride <= t) left = s[t - stride];
        __syncthreads();
        s[t] += left;
    }

    out[t] = s[t];
}
