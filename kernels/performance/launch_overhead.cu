/*--- lanescope
title = "Many launches or one"

[params]
n     = { default = 64, min = 0, max = 16777216, label = "elements n" }
times = { default = 4, min = 1, max = 1000, label = "times" }
block = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
many = { type = "int", count = "n", init = "iota" }
one  = { type = "int", count = "n", init = "iota" }
end  = { type = "int", count = "n", init = "iota(times, 1)" }

[[launch]]
kernel = "add_one"
repeat = "r = 0; r < times; r + 1"
grid   = ["max(1, ceil_div(n, block))"]
block  = ["block"]
args   = ["many", "n"]

[[launch]]
kernel = "add_all"
grid   = ["max(1, ceil_div(n, block))"]
block  = ["block"]
args   = ["one", "n", "times"]

[[expect]]
buffer = "many"
equals = "copy(end)"

[[expect]]
buffer = "one"
equals = "copy(end)"
---*/
__global__ void add_one(int* x, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += 1;
}

__global__ void add_all(int* x, unsigned n, int times) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int sum = x[i];
        for (int r = 0; r < times; ++r)
            sum += 1;
        x[i] = sum;
    }
}
