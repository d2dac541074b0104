/*--- lanescope
title = "Sums and products of float"

[params]
n       = { default = 17, min = 0, max = 1024, label = "numbers to add" }
factors = { default = 127, min = 0, max = 1024, label = "twos to multiply" }

[buffers]
in        = { type = "float", count = "n", values = [16777216, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] }
forwards  = { type = "float", count = "1" }
backwards = { type = "float", count = "1" }
product   = { type = "float", count = "1" }

[[launch]]
kernel = "add_up"
grid   = ["1"]
block  = ["2"]
args   = ["in", "n", "forwards", "backwards"]

[[launch]]
kernel = "power_of_two"
grid   = ["1"]
block  = ["1"]
args   = ["factors", "product"]

[[expect]]
buffer = "forwards"
equals = "sum(in)"

[[expect]]
buffer = "backwards"
equals = "sum(in)"
---*/
// Thread 0 adds from the first number to the last, thread 1 from the last to the first.
__global__ void add_up(const float* in, int n, float* forwards, float* backwards) {
    unsigned t = threadIdx.x;
    int k = t == 0 ? 0 : n - 1, next = t == 0 ? 1 : -1;
    float sum = 0;
    for (int i = 0; i < n; ++i, k += next)
        sum += in[k];
    *(t == 0 ? forwards : backwards) = sum;
}

__global__ void power_of_two(unsigned factors, float* product) {
    float result = 1;
    for (unsigned i = 0; i < factors; ++i)
        result *= 2;
    *product = result;
}
