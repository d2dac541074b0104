/*--- lanescope
title = "Registers only (solution)"
exercise = "reduction/registers_only"

[params]
n     = { default = 64, min = 1, max = 100000, label = "elements n" }
block = { default = 64, choices = [32, 64, 128], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "ceil_div(n, block) * block / 32" }

[[launch]]
kernel = "reduce"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "block_sums(in, 32)"
---*/
__global__ void reduce(const int* in, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = i < n ? in[i] : 0;

    for (unsigned stride = 16; stride >= 1; stride /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, stride);

    if (threadIdx.x % 32 == 0)
        out[i / 32] = sum;
}
