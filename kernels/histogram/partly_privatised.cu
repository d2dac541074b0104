/*--- lanescope
title = "More bins than fit into shared memory"

[params]
n      = { default = 256, min = 0, max = 268435456, label = "elements n" }
bins   = { default = 48, min = 1, max = 1048576, label = "bins" }
fit    = { default = 32, min = 1, max = 12288, label = "bins in shared memory" }
blocks = { default = 2, min = 1, max = 65536, label = "blocks" }
block  = { default = 64, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, bins - 1)" }
out = { type = "uint", count = "bins", init = "zero" }

[[launch]]
kernel = "histogram"
grid   = ["blocks"]
block  = ["block"]
shared = "fit * 4"
args   = ["in", "out", "n", "min(fit, bins)"]

[[expect]]
buffer = "out"
equals = "histogram(in, 1)"
---*/
// The first `fit` bins have a copy in shared memory, the others have none.
__global__ void histogram(const int* in, unsigned* out, unsigned n, int fit) {
    extern __shared__ unsigned s[];
    for (int b = threadIdx.x; b < fit; b += blockDim.x)
        s[b] = 0;
    __syncthreads();

    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int b = in[i];
        if (b < fit)
            atomicAdd(&s[b], 1);
        else
            atomicAdd(&out[b], 1);
    }
    __syncthreads();

    for (int b = threadIdx.x; b < fit; b += blockDim.x)
        atomicAdd(&out[b], s[b]);
}
