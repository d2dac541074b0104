/*--- lanescope
title = "Everything together"

[params]
n      = { default = 3001, min = 0, max = 268435456, label = "elements n" }
blocks = { default = 2, min = 1, max = 65536, label = "blocks" }
block  = { default = 64, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "reduce"
grid   = ["blocks"]
block  = ["block"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "sum(in)"
---*/
__device__ int sum_of_warp(int sum) {
    for (unsigned stride = 16; stride >= 1; stride /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, stride);
    return sum;
}

__device__ int sum_of(int4 v) {
    return (v.x + v.y) + (v.z + v.w);
}

__global__ void reduce(const int* in, int* out, unsigned n) {
    __shared__ int s[32];
    unsigned t = threadIdx.x, warp = t / 32, lane = t % 32;
    unsigned thread = blockIdx.x * blockDim.x + t, threads = gridDim.x * blockDim.x;
    const int4* in4 = reinterpret_cast<const int4*>(in);
    unsigned n4 = n / 4;

    int sum = thread < n % 4 ? in[4 * n4 + thread] : 0;
    unsigned i = thread;
    for (; i + 3 * threads < n4; i += 4 * threads) {
        int4 a = in4[i], b = in4[i + threads];  // four loads in flight before the first is needed
        int4 c = in4[i + 2 * threads], d = in4[i + 3 * threads];
        sum += sum_of(a) + sum_of(b) + sum_of(c) + sum_of(d);
    }
    for (; i < n4; i += threads) {
        int4 a = in4[i];
        sum += sum_of(a);
    }

    sum = sum_of_warp(sum);
    if (lane == 0)
        s[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = sum_of_warp(lane < blockDim.x / 32 ? s[lane] : 0);
        if (lane == 0)
            atomicAdd(out, sum);
    }
}
