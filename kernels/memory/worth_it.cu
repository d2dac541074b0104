/*--- lanescope
title = "Is this a problem for a GPU?"

[params]
n      = { default = 64, min = 0, max = 268435456, label = "elements n" }
rounds = { default = 8, min = 8, max = 1024, label = "rounds per element" }

[buffers]
in   = { type = "float", count = "n", values = [1, 4, 9, 16, 25, 36, 49, 64] }
root = { type = "float", count = "n", values = [1, 2, 3, 4, 5, 6, 7, 8] }
one  = { type = "float", count = "n" }
many = { type = "float", count = "n" }

[[launch]]
kernel = "one_operation"
grid   = ["max(1, ceil_div(n, 64))"]
block  = ["64"]
args   = ["in", "one", "n"]

[[launch]]
kernel = "many_operations"
grid   = ["max(1, ceil_div(n, 64))"]
block  = ["64"]
args   = ["in", "many", "n", "rounds"]

[[expect]]
buffer = "one"
equals = "add(in, in)"

[[expect]]
buffer = "many"
equals = "copy(root)"
---*/
__global__ void one_operation(const float* in, float* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + in[i];
}

// Newton's method for the square root: each round doubles the number of right digits.
__global__ void many_operations(const float* in, float* out, unsigned n, int rounds) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float a = in[i], x = a;
        for (int r = 0; r < rounds; ++r)
            x = 0.5f * (x + a / x);
        out[i] = x;
    }
}
