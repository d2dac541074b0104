/*--- lanescope
title = "A grid barrier made of a counter"

[buffers]
a       = { type = "int", count = "128", init = "iota" }
arrived = { type = "uint", count = "1", init = "zero" }
out     = { type = "int", count = "128" }

[[launch]]
kernel = "reverse_doubled"
grid   = ["4"]
block  = ["32"]
args   = ["a", "arrived", "out"]
cooperative = true
---*/
__global__ void reverse_doubled(int* a, unsigned* arrived, int* out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 2 * a[i];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < gridDim.x) {
        }
    }
    __syncthreads();
    __threadfence();
    out[i] = a[127 - i];
}
