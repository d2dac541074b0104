/*--- lanescope
title = "Count in shared memory first (solution)"
exercise = "atomics/shared_first"

[params]
n     = { default = 100, min = 1, max = 100000, label = "elements n" }
block = { default = 64, choices = [32, 64, 128], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "uint", count = "1", init = "zero" }

[[launch]]
kernel = "count"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "histogram(in, 5)"
---*/
__global__ void count(const int* in, unsigned* out, unsigned n) {
    __shared__ unsigned s;
    if (threadIdx.x == 0)
        s = 0;
    __syncthreads();

    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] < 5)
        atomicAdd(&s, 1);
    __syncthreads();

    if (threadIdx.x == 0)
        atomicAdd(out, s);
}
