/*--- lanescope
title = "Hillis and Steele's scan with two buffers"

[params]
n = { default = 8, min = 1, max = 1024, label = "elements n, one per thread" }

[buffers]
in  = { type = "int", count = "n", values = [3, 1, 7, 0, 4, 1, 6, 3] }
out = { type = "int", count = "n" }

[[launch]]
kernel = "scan"
grid   = ["1"]
block  = ["n"]
shared = "2 * n * 4"
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "prefix_inclusive(in)"
---*/
__global__ void scan(const int* in, int* out) {
    extern __shared__ int s[];
    unsigned t = threadIdx.x;
    int* from = s;
    int* to   = s + blockDim.x;
    from[t] = in[t];

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        if (t >= stride)
            to[t] = from[t] + from[t - stride];
        else
            to[t] = from[t];

        int* next = from;
        from = to;
        to   = next;
    }

    out[t] = from[t];
}
