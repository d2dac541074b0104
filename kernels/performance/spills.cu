/*--- lanescope
title = "Spills: too few registers"

[params]
n     = { default = 64, min = 0, max = 4194304, label = "lists n" }
block = { default = 64, choices = [32, 64, 128, 256], label = "block size" }

[buffers]
in     = { type = "int", count = "32 * n", init = "random(0, 99)" }
enough = { type = "int", count = "32 * n" }
few    = { type = "int", count = "32 * n" }

[[launch]]
kernel = "sort_lists<1>"
grid   = ["max(1, ceil_div(n, block))"]
block  = ["block"]
args   = ["in", "enough", "n"]

[[launch]]
kernel = "sort_lists<8>"
grid   = ["max(1, ceil_div(n, block))"]
block  = ["block"]
args   = ["in", "few", "n"]

[[expect]]
buffer = "enough"
equals = "sort(in, 32)"

[[expect]]
buffer = "few"
equals = "sort(in, 32)"
---*/
__device__ void put_in_order(int& a, int& b) {
    int smaller = min(a, b);
    b = max(a, b);
    a = smaller;
}

// Each thread sorts a list of 32 numbers. `blocks` blocks of 256 threads must fit on a multiprocessor.
template <int blocks>
__global__ void __launch_bounds__(256, blocks) sort_lists(const int* in, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x[32];
    for (int k = 0; k < 32; ++k)
        x[k] = in[32 * i + k];
    for (int round = 0; round < 16; ++round) {
        for (int k = 0; k < 32; k += 2)
            put_in_order(x[k], x[k + 1]);
        for (int k = 1; k < 31; k += 2)
            put_in_order(x[k], x[k + 1]);
    }
    for (int k = 0; k < 32; ++k)
        out[32 * i + k] = x[k];
}
