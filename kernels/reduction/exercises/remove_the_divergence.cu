/*--- lanescope
title = "Remove the divergence"
exercise = "reduction/remove_the_divergence"

[params]
n     = { default = 128, min = 1, max = 100000, label = "elements n" }
block = { default = 64, choices = [32, 64, 128, 256], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "ceil_div(n, 2 * block)" }

[[launch]]
kernel = "reduce"
grid   = ["ceil_div(n, 2 * block)"]
block  = ["block"]
shared = "2 * block * 4"
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "block_sums(in, 2 * block)"
---*/
__global__ void reduce(const int* in, int* out, unsigned n) {
    extern __shared__ int s[];
    unsigned t = threadIdx.x;
    unsigned i = 2 * blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    s[t + blockDim.x] = i + blockDim.x < n ? in[i + blockDim.x] : 0;

    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
        __syncthreads();
        if (t % stride == 0)
            s[2 * t] += s[2 * t + stride];
    }

    if (t == 0)
        out[blockIdx.x] = s[0];
}
