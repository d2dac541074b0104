/*--- lanescope
title = "One atomic operation per warp (solution)"
exercise = "reduction/one_per_warp"

[params]
n     = { default = 100, min = 1, max = 100000, label = "elements n" }
block = { default = 64, choices = [32, 64, 128], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "sum"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "sum(in)"
---*/
__global__ void sum(const int* in, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = i < n ? in[i] : 0;

    for (unsigned stride = 16; stride >= 1; stride /= 2)
        mine += __shfl_down_sync(0xffffffff, mine, stride);

    if (threadIdx.x % 32 == 0)
        atomicAdd(out, mine);
}
