/*--- lanescope
title = "One counter, three ways"

[params]
n      = { default = 1024, min = 0, max = 268435456, label = "elements n" }
blocks = { default = 2, min = 1, max = 65536, label = "blocks" }
block  = { default = 64, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in   = { type = "int", count = "n", init = "random(0, 9)" }
out1 = { type = "uint", count = "1", init = "zero" }
out2 = { type = "uint", count = "1", init = "zero" }
out3 = { type = "uint", count = "1", init = "zero" }

[[launch]]
kernel = "in_global"
grid   = ["blocks"]
block  = ["block"]
args   = ["in", "out1", "n"]

[[launch]]
kernel = "in_shared"
grid   = ["blocks"]
block  = ["block"]
args   = ["in", "out2", "n"]

[[launch]]
kernel = "privatised"
grid   = ["blocks"]
block  = ["block"]
args   = ["in", "out3", "n"]

[[expect]]
buffer = "out1"
equals = "histogram(in, 5)"

[[expect]]
buffer = "out2"
equals = "histogram(in, 5)"

[[expect]]
buffer = "out3"
equals = "histogram(in, 5)"
---*/
// How many elements are below 5?
__global__ void in_global(const int* in, unsigned* out, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (in[i] < 5)
            atomicAdd(out, 1);
}

__global__ void in_shared(const int* in, unsigned* out, unsigned n)
{
    __shared__ unsigned s;
    if (threadIdx.x == 0)
        s = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (in[i] < 5)
            atomicAdd(&s, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(out, s);
}

__global__ void privatised(const int* in, unsigned* out, unsigned n)
{
    __shared__ unsigned s;
    if (threadIdx.x == 0)
        s = 0;
    __syncthreads();
    unsigned count = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (in[i] < 5)
            ++count;
    atomicAdd(&s, count);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(out, s);
}
