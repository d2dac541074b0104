/*--- lanescope
title = "An atomic maximum of floats"

[params]
n     = { default = 32, min = 1, max = 1048576, label = "elements n" }
block = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in      = { type = "float", count = "n", init = "iota" }
out     = { type = "float", values = [-inf] }
retries = { type = "int", count = "n" }

[[launch]]
kernel = "maximum"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["in", "out", "retries", "n"]

[[expect]]
buffer = "out"
equals = "max(in)"
---*/
// There is no atomicMax for float. atomicCAS swaps only if no thread has changed the cell since the read.
__global__ void maximum(const float* in, float* out, int* retries, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    int seen = *(int*)out;
    for (int k = 0;; ++k) {
        float larger = fmaxf(in[i], __int_as_float(seen));
        int old = atomicCAS((int*)out, seen, __float_as_int(larger));
        retries[i] = k;
        if (old == seen)
            return;
        seen = old;
    }
}
