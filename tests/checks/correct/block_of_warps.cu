/*--- lanescope
title = "Warps reduce their own 32, one warp the rest"

[buffers]
in  = { type = "int", count = "256", init = "random(0, 9)" }
out = { type = "int", count = "1" }

[[launch]]
kernel = "reduce"
grid   = ["1"]
block  = ["256"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "sum(in)"
---*/
__device__ int warp_sum(int value) {
    for (unsigned k = 16; k >= 1; k /= 2)
        value += __shfl_xor_sync(0xffffffff, value, k);
    return value;
}
__global__ void reduce(const int* in, int* out) {
    __shared__ int sums[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int sum = warp_sum(in[threadIdx.x]);
    if (lane == 0) sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = warp_sum(lane < blockDim.x / 32 ? sums[lane] : 0);
        if (lane == 0) out[0] = sum;
    }
}
