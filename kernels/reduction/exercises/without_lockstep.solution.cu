/*--- lanescope
title = "Without lockstep (solution)"
exercise = "reduction/without_lockstep"

[params]
n     = { default = 128, min = 0, max = 100000, label = "elements n" }
block = { default = 64, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "max(1, ceil_div(n, 2 * block))" }

[[launch]]
kernel = "reduce"
grid   = ["max(1, ceil_div(n, 2 * block))"]
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

    for (unsigned stride = blockDim.x; stride > 32; stride /= 2) {
        __syncthreads();
        if (t < stride)
            s[t] += s[t + stride];
    }
    __syncthreads();

    if (t < 32) {  // all lanes of warp 0
        int sum = s[t] + s[t + 32];
        s[t] = sum;  __syncwarp();  sum += s[t + 16];  __syncwarp();
        s[t] = sum;  __syncwarp();  sum += s[t + 8];   __syncwarp();
        s[t] = sum;  __syncwarp();  sum += s[t + 4];   __syncwarp();
        s[t] = sum;  __syncwarp();  sum += s[t + 2];   __syncwarp();
        s[t] = sum;  __syncwarp();  sum += s[t + 1];
        if (t == 0)
            out[blockIdx.x] = sum;
    }
}
