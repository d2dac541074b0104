/*--- lanescope
title = "A barrier in each branch"

[buffers]
in  = { type = "int", count = "40", init = "iota(1)" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "reverse"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
problems = ["barrier_divergence"]
---*/
// 40 elements, filled up with zeros to 64, in reverse order.
__global__ void reverse(const int* in, int* out) {
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    if (t < 40) {
        s[t] = in[t];
        __syncthreads();  // 40 threads wait here
    } else {
        s[t] = 0;
        __syncthreads();  // 24 threads wait here
    }
    out[t] = s[63 - t];
}
