/*--- lanescope
title = "All threads wait"
exercise = "barriers/all_threads_wait"

[params]
blocks = { default = 2, min = 1, max = 1000, label = "blocks" }

[buffers]
in  = { type = "int", count = "64 * blocks", init = "random(0, 99)" }
out = { type = "int", count = "in.count" }

[[launch]]
kernel = "reverse"
grid   = ["blocks"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "reverse(in, 64)"
---*/
__global__ void reverse(const int* in, int* out) {
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    unsigned first = blockIdx.x * 64;
    if (t < 32) {
        s[t] = in[first + t];
        s[t + 32] = in[first + t + 32];
    }
    __syncthreads();
    out[first + t] = s[63 - t];
}
