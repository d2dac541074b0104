/*--- lanescope
title = "The last block adds up what the others published"

[buffers]
in      = { type = "int", count = "256", init = "random(0, 9)" }
partial = { type = "int", count = "4" }
counter = { type = "uint", count = "1", init = "zero" }
out     = { type = "int", count = "1" }

[[launch]]
kernel = "reduce"
grid   = ["4"]
block  = ["64"]
args   = ["in", "partial", "counter", "out"]

[[expect]]
buffer = "out"
equals = "sum(in)"
---*/
__global__ void reduce(const int* in, int* partial, unsigned* counter, int* out) {
    __shared__ int s[64];
    __shared__ bool last;
    unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        if (t < stride) s[t] += s[t + stride];
    }
    if (t == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        last = atomicAdd(counter, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last && t == 0) {
        int sum = 0;
        for (unsigned b = 0; b < gridDim.x; ++b)
            sum += partial[b];
        out[0] = sum;
    }
}
