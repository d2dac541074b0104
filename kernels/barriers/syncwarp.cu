/*--- lanescope
title = "A barrier for a warp"

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
buffer = "out"
equals = "reverse(in, 32)"
---*/
__global__ void reverse(const int* in, int* out) {
    __shared__ int s[1024];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncwarp();
    out[t] = s[t ^ 31];  // the mirror image of t in its warp
}
