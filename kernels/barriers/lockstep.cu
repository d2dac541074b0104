/*--- lanescope
title = "Lockstep is not a barrier"

[params]
warps = { default = 1, min = 1, max = 32, label = "warps" }

[buffers]
in  = { type = "int", count = "32 * warps", init = "iota" }
out = { type = "int", count = "in.count" }

[[launch]]
kernel = "reverse"
grid   = ["1"]
block  = ["32 * warps"]
args   = ["in", "out"]

[[expect]]
problems = ["race"]
---*/
__global__ void reverse(const int* in, int* out) {
    __shared__ int s[1024];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    out[t] = s[t ^ 31];  // the mirror image of t in its warp
}
