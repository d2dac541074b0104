/*--- lanescope
title = "The tail: one block too many"

[params]
blocks   = { default = 5, min = 1, max = 1048576, label = "blocks" }
block    = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }
rounds   = { default = 4, min = 0, max = 100000, label = "rounds of a thread" }
resident = { default = 4, min = 1, max = 1048576, label = "blocks that run at a time" }

[buffers]
in   = { type = "int", count = "blocks * block", init = "random(0, 9)" }
ones = { type = "int", count = "blocks * block", init = "constant(1)" }
out  = { type = "int", count = "blocks * block" }

[[launch]]
kernel   = "work"
grid     = ["blocks"]
block    = ["block"]
args     = ["in", "out", "rounds", "1"]
resident = "resident"

[[expect]]
buffer = "out"
equals = "axpy(rounds, ones, in)"
---*/
__global__ void work(const int* in, int* out, int rounds, int a) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = in[i];
    for (int r = 0; r < rounds; ++r)
        x = a * x + 1;
    out[i] = x;
}
