/*--- lanescope
title = "Half the barriers (solution)"
exercise = "scan/half_the_barriers"

[params]
n = { default = 64, min = 2, max = 1024, label = "elements n, one per thread" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
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
        to[t] = t >= stride ? from[t] + from[t - stride] : from[t];
        int* next = from;
        from = to;
        to = next;
    }

    out[t] = from[t];
}
