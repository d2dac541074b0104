/*--- lanescope
title = "Count the rounds (solution)"
exercise = "pipelines/count_the_rounds"

[params]
n = { default = 20, min = 1, max = 512, label = "elements n" }

[buffers]
a     = { type = "int", count = "n", init = "random(0, 99)" }
round = { type = "uint", count = "1", init = "zero" }

[[launch]]
kernel = "exchange"
repeat = "k = 0; k < n; k + 1"
grid   = ["1"]
block  = ["256"]
args   = ["a", "n", "round"]

[[expect]]
buffer = "a"
equals = "sort(a)"

[[expect]]
buffer = "round"
equals = "constant(n)"
---*/
// Launched n times with the same arguments. `round` counts the launches.
__global__ void exchange(int* a, unsigned n, unsigned* round) {
    unsigned parity = *round % 2;
    unsigned i = 2 * threadIdx.x + parity;
    if (i + 1 < n && a[i] > a[i + 1]) {
        int x = a[i];
        a[i] = a[i + 1];
        a[i + 1] = x;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        ++*round;
}
