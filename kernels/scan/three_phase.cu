/*--- lanescope
title = "A long scan in three launches"

[params]
n       = { default = 100, min = 0, max = 268435456, label = "elements n" }
section = { default = 32, min = 32, max = 1048576, label = "elements per block" }
block   = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in     = { type = "int", count = "n", values = [3, 1, 7, 0, 4, 1, 6, 3] }
out    = { type = "int", count = "n" }
sums   = { type = "int", count = "max(1, ceil_div(n, section))" }
before = { type = "int", count = "sums.count" }
total  = { type = "int", count = "1" }

[[launch]]
kernel = "scan"
grid   = ["sums.count"]
block  = ["block"]
shared = "block * 4"
args   = ["in", "out", "sums", "n", "section"]

[[launch]]
kernel = "scan"
grid   = ["1"]
block  = ["block"]
shared = "block * 4"
args   = ["sums", "before", "total", "sums.count", "sums.count"]

[[launch]]
kernel = "add"
grid   = ["sums.count"]
block  = ["block"]
args   = ["out", "before", "n", "section"]

[[expect]]
buffer = "sums"
equals = "block_sums(in, section)"

[[expect]]
buffer = "total"
equals = "sum(in)"

[[expect]]
buffer = "out"
equals = "prefix_inclusive(in)"
---*/
__global__ void scan(const int* in, int* out, int* sums, unsigned n, unsigned section) {
    extern __shared__ int s[];
    unsigned t = threadIdx.x;
    unsigned begin = blockIdx.x * section;
    unsigned end = min(begin + section, n);

    int sum = 0;
    for (unsigned i = begin + t; i - t < end; i += blockDim.x) {
        s[t] = i < end ? in[i] : 0;
        for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
            __syncthreads();
            int left = t >= stride ? s[t - stride] : 0;
            __syncthreads();
            s[t] += left;
        }
        __syncthreads();
        if (i < end)
            out[i] = sum + s[t];
        sum += s[blockDim.x - 1];
        __syncthreads();
    }

    if (t == 0)
        sums[blockIdx.x] = sum;
}

__global__ void add(int* out, const int* before, unsigned n, unsigned section) {
    unsigned begin = blockIdx.x * section;
    unsigned end = min(begin + section, n);

    if (blockIdx.x > 0)
        for (unsigned i = begin + threadIdx.x; i < end; i += blockDim.x)
            out[i] += before[blockIdx.x - 1];
}
