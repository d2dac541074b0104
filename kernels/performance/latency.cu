/*--- lanescope
title = "Latency: loads one after the other"

[params]
steps  = { default = 8, min = 0, max = 1024, label = "loads one after the other" }
warps  = { default = 1, choices = [1, 2, 4, 8], label = "warps per scheduler" }
blocks = { default = 1, min = 1, max = 1056, label = "blocks" }

[buffers]
next = { type = "int", count = "steps * blocks * 128 * warps", init = "iota(blocks * 128 * warps, 1)" }
end  = { type = "int", count = "blocks * 128 * warps", init = "iota(steps * blocks * 128 * warps, 1)" }
out  = { type = "int", count = "blocks * 128 * warps" }

[arrays]
next = { shape = ["steps", "blocks * 128 * warps"], axes = ["step", "chain"] }

[[launch]]
kernel = "follow"
grid   = ["blocks"]
block  = ["128 * warps"]
args   = ["next", "out", "steps"]

[[expect]]
buffer = "out"
equals = "copy(end)"
---*/
__global__ void follow(const int* next, int* out, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int place = i;
    for (int step = 0; step < steps; ++step)
        place = next[place];  // the next load needs what this one brings
    out[i] = place;
}
