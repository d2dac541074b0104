/*--- lanescope
title = "Make it work for any n (solution)"
exercise = "reduction/any_n"

[params]
n     = { default = 200, min = 1, max = 100000, label = "elements n" }
block = { default = 64, choices = [32, 64, 128, 256], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "1" }

[[launch]]
kernel = "reduce"
grid   = ["1"]
block  = ["block"]
shared = "block * 4"
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "sum(in)"
---*/
__global__ void reduce(const int* in, int* out, unsigned n) {
    extern __shared__ int s[];
    unsigned t = threadIdx.x;

    int sum = 0;
    for (unsigned i = t; i < n; i += blockDim.x)
        sum += in[i];
    s[t] = sum;

    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        if (t < stride)
            s[t] += s[t + stride];
    }

    if (t == 0)
        out[0] = s[0];
}
