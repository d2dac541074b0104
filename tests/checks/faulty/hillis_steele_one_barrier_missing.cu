/*--- lanescope
title = "In-place scan with one barrier a step"

[buffers]
in  = { type = "int", count = "64", init = "random(0, 9)" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "scan"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (b)
// Also: unsynced_lanes (a) (b)
__global__ void scan(const int* in, int* out) {
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    s[t] = in[t];

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        int left = t >= stride ? s[t - stride] : 0;  // (a)
        s[t] += left;                                // (b) others may still read the old value
    }

    out[t] = s[t];
}
