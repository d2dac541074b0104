/*--- lanescope
title = "Coalescing"

[params]
n      = { default = 64, min = 0, max = 8388608, label = "threads n" }
stride = { default = 32, min = 1, max = 32, label = "stride of the last launch" }

[buffers]
in     = { type = "int", count = "32 * n", init = "iota" }
out1   = { type = "int", count = "n" }
out2   = { type = "int", count = "n" }
out3   = { type = "int", count = "n" }
want1  = { type = "int", count = "n", init = "iota(0, 1)" }
want2  = { type = "int", count = "n", init = "iota(0, 2)" }
want3  = { type = "int", count = "n", init = "iota(0, stride)" }

[[launch]]
kernel = "every"
grid   = ["max(1, ceil_div(n, 64))"]
block  = ["64"]
args   = ["in", "out1", "n", "1"]

[[launch]]
kernel = "every"
grid   = ["max(1, ceil_div(n, 64))"]
block  = ["64"]
args   = ["in", "out2", "n", "2"]

[[launch]]
kernel = "every"
grid   = ["max(1, ceil_div(n, 64))"]
block  = ["64"]
args   = ["in", "out3", "n", "stride"]

[[expect]]
buffer = "out1"
equals = "copy(want1)"

[[expect]]
buffer = "out2"
equals = "copy(want2)"

[[expect]]
buffer = "out3"
equals = "copy(want3)"
---*/
__global__ void every(const int* in, int* out, unsigned n, unsigned stride) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = in[stride * i];
        out[i] = x;
    }
}
