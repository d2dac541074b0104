/*--- lanescope
title = "A barrier that all threads of a block reach, or none"

[buffers]
in  = { type = "int", count = "256", init = "iota" }
out = { type = "int", count = "256" }

[[launch]]
kernel = "reverse_odd"
grid   = ["4"]
block  = ["64"]
args   = ["in", "out"]
---*/
__global__ void reverse_odd(const int* in, int* out) {
    __shared__ int s[64];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (blockIdx.x % 2 == 1) {
        s[t] = in[i];
        __syncthreads();
        out[i] = s[63 - t];
    } else {
        out[i] = in[i];
    }
}
