/*--- lanescope
title = "One warp in shared memory, as before Volta"

[params]
n = { default = 32, min = 0, max = 268435456, label = "elements n" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "max(1, ceil_div(n, 32))" }

[[launch]]
kernel = "reduce"
grid   = ["max(1, ceil_div(n, 32))"]
block  = ["32"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "block_sums(in, 32)"

[[expect]]
problems = ["race"]
---*/
__global__ void reduce(const int* in, int* out, unsigned n) {
    __shared__ volatile int s[32];
    unsigned lane = threadIdx.x;
    unsigned i = blockIdx.x * 32 + lane;
    s[lane] = i < n ? in[i] : 0;

    if (lane < 16) s[lane] = s[lane] + s[lane + 16];
    if (lane < 8) s[lane] = s[lane] + s[lane + 8];
    if (lane < 4) s[lane] = s[lane] + s[lane + 4];
    if (lane < 2) s[lane] = s[lane] + s[lane + 2];
    if (lane < 1) s[lane] = s[lane] + s[lane + 1];

    if (lane == 0)
        out[blockIdx.x] = s[0];
}
