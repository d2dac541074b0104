/*--- lanescope
title = "Scan with shuffles"

[params]
n = { default = 64, min = 0, max = 1024, label = "elements n, one per thread" }

[buffers]
in  = { type = "int", count = "n", values = [3, 1, 7, 0, 4, 1, 6, 3] }
out = { type = "int", count = "n" }

[[launch]]
kernel = "scan"
grid   = ["1"]
block  = ["32 * max(1, ceil_div(n, 32))"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "prefix_inclusive(in)"
---*/
__device__ int warp_scan(int sum) {
    for (unsigned stride = 1; stride < 32; stride *= 2) {
        int left = __shfl_up_sync(0xffffffff, sum, stride);
        if (threadIdx.x % 32 >= stride)
            sum += left;
    }
    return sum;
}

__global__ void scan(const int* in, int* out, unsigned n) {
    __shared__ int s[32];
    unsigned t = threadIdx.x;
    unsigned lane = t % 32;
    unsigned warp = t / 32;
    int sum = warp_scan(t < n ? in[t] : 0);

    if (lane == 31)
        s[warp] = sum;
    __syncthreads();
    if (warp == 0)
        s[lane] = warp_scan(lane < blockDim.x / 32 ? s[lane] : 0);
    __syncthreads();
    if (warp > 0)
        sum += s[warp - 1];

    if (t < n)
        out[t] = sum;
}
