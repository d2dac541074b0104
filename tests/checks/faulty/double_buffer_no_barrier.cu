/*--- lanescope
title = "Ping-pong scan with its barrier only at every other step"

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
// Finds: race (b) (c)
// Also: race (c) (c); unsynced_lanes (b) (c); unsynced_lanes (c) (c); uninitialised (b); uninitialised (c)
__global__ void scan(const int* in, int* out) {
    __shared__ int s[2][64];
    unsigned t = threadIdx.x, from = 0;
    s[0][t] = in[t];
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (from == 0) __syncthreads();
        int left = t >= stride ? s[from][t - stride] : 0;  // (b)
        s[1 - from][t] = s[from][t] + left;                // (c)
        from = 1 - from;
    }
    out[t] = s[from][t];
}
