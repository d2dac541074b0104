/*--- lanescope
title = "Warp sum through shared memory, with __syncwarp"

[buffers]
in  = { type = "int", count = "32", init = "random(0, 9)" }
out = { type = "int", count = "1" }

[[launch]]
kernel = "reduce"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "sum(in)"
---*/
__global__ void reduce(const int* in, int* out) {
    __shared__ int s[32];
    unsigned lane = threadIdx.x;
    s[lane] = in[lane];
    for (unsigned k = 16; k >= 1; k /= 2) {
        __syncwarp();
        if (lane < k) s[lane] += s[lane + k];
    }
    if (lane == 0) out[0] = s[0];
}
