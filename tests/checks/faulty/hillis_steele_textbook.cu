/*--- lanescope
title = "The textbook scan: barriers that only some threads reach"

[buffers]
in  = { type = "int", count = "8", values = [3, 1, 7, 0, 4, 1, 6, 3] }
out = { type = "int", count = "8" }

[[launch]]
kernel = "scan"
grid   = ["1"]
block  = ["8"]
args   = ["in", "out"]

[[expect]]
problems = ["barrier_divergence"]
---*/
// Finds: barrier_divergence (a) (c); barrier_divergence (b) (c)
// Also: unsynced_lanes (d) (e)
__global__ void scan(const int* in, int* out) {
    __shared__ int s[8];
    unsigned t = threadIdx.x;
    s[t] = in[t];

    for (unsigned stride = 1; stride <= threadIdx.x; stride *= 2) {
        __syncthreads();           // (a)
        int left = s[t - stride];  // (d)
        __syncthreads();           // (b)
        s[t] += left;              // (e)
    }

    out[t] = s[t];
}                                  // (c) thread 0 is here already
