/*--- lanescope
title = "Warp sum in registers"

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
    int sum = in[threadIdx.x];
    for (unsigned k = 16; k >= 1; k /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, k);
    if (threadIdx.x == 0) out[0] = sum;
}
