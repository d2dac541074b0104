/*--- lanescope
title = "The textbook scan over two warps, with a barrier behind its loop"

[buffers]
in  = { type = "int", count = "64", init = "random(0, 9)" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "scan"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
problems = ["barrier_divergence"]
---*/
// Finds: barrier_divergence (a) (c); barrier_divergence (b) (d)
// Also: barrier_divergence (a) (b); barrier_divergence (b) (c); barrier_divergence (a) (d); barrier_divergence (c) (d)
__global__ void scan(const int* in, int* out) {
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    s[t] = in[t];

    for (unsigned stride = 1; stride <= threadIdx.x; stride *= 2) {
        __syncthreads();              // (a)
        int left = s[t - stride];
        __syncthreads();              // (b)
        s[t] += left;
    }

    __syncthreads();                  // (c)
    out[t] = s[63 - t];
}                                     // (d)
