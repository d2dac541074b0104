/*--- lanescope
title = "The chip and its memories"

[params]
n     = { default = 64, min = 0, max = 268435456, label = "elements n" }
block = { default = 64, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in     = { type = "int", count = "n", init = "random(0, 9)" }
out    = { type = "int", count = "n" }
factor = { type = "int", count = "1", init = "constant(1)", space = "constant" }

[[launch]]
kernel = "walk"
grid   = ["max(1, ceil_div(n, block))"]
block  = ["block"]
shared = "block * 4"
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "copy(in)"
---*/
__constant__ int factor[1];

__global__ void walk(const int* in, int* out, unsigned n) {
    extern __shared__ int s[];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + t;
    if (i < n) {
        int x = in[i];   // global memory to a register
        x *= factor[0];  // constant memory to a register
        s[t] = x;        // register to shared memory
        out[i] = s[t];   // shared memory to a register to global memory
    }
}
