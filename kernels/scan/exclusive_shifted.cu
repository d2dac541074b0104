/*--- lanescope
title = "Exclusive scan of shifted input"

[params]
n     = { default = 24, min = 0, max = 1048576, label = "elements n" }
block = { default = 8, choices = [4, 8, 32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in  = { type = "int", count = "n", values = [3, 1, 7, 0, 4, 1, 6, 3] }
out = { type = "int", count = "n" }

[[launch]]
kernel = "scan"
grid   = ["1"]
block  = ["block"]
shared = "block * 4"
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "prefix_exclusive(in)"
---*/
__global__ void scan(const int* in, int* out, unsigned n) {
    extern __shared__ int s[];
    unsigned t = threadIdx.x;

    for (unsigned i = t; i - t < n; i += blockDim.x) {
        s[t] = 0 < i && i < n ? in[i - 1] : 0;
        if (t == 0 && i > 0)
            s[t] += out[i - 1];

        for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
            __syncthreads();
            int left = 0;
            if (t >= stride)
                left = s[t - stride];
            __syncthreads();
            if (t >= stride)
                s[t] += left;
        }

        if (i < n)
            out[i] = s[t];
        __syncthreads();
    }
}
