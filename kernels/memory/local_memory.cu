/*--- lanescope
title = "Local memory"

[params]
n = { default = 64, min = 0, max = 268435456, label = "elements n" }

[buffers]
in        = { type = "int", count = "n", init = "random(0, 7)" }
looked_up = { type = "int", count = "n" }
computed  = { type = "int", count = "n" }

[[launch]]
kernel = "look_up"
grid   = ["max(1, ceil_div(n, 64))"]
block  = ["64"]
args   = ["in", "looked_up", "n"]

[[launch]]
kernel = "compute"
grid   = ["max(1, ceil_div(n, 64))"]
block  = ["64"]
args   = ["in", "computed", "n"]

[[expect]]
buffer = "looked_up"
equals = "square(in)"

[[expect]]
buffer = "computed"
equals = "square(in)"
---*/
__global__ void look_up(const int* in, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int squares[8];
        for (int k = 0; k < 8; ++k)
            squares[k] = k * k;
        out[i] = squares[in[i]];
    }
}

__global__ void compute(const int* in, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = in[i];
        out[i] = x * x;
    }
}
