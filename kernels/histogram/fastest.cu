/*--- lanescope
title = "Bytes in 256 bins, as fast as it gets"

[params]
n      = { default = 8192, min = 0, max = 268435456, label = "bytes n" }
values = { default = 256, min = 1, max = 256, label = "different values" }
blocks = { default = 2, min = 1, max = 65536, label = "blocks" }
block  = { default = 256, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in  = { type = "uchar", count = "n", init = "random(0, values - 1)" }
out = { type = "uint", count = "256", init = "zero" }

[[launch]]
kernel = "histogram"
grid   = ["blocks"]
block  = ["block"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "histogram(in, 1)"
---*/
// 32 copies of the bins: copy c lies in bank c and belongs to lane c of every warp.
__device__ void count(unsigned (*s)[32], unsigned word, unsigned lane) {
    for (unsigned k = 0; k < 32; k += 8)
        atomicAdd(&s[word >> k & 255][lane], 1);
}

__global__ void histogram(const unsigned char* in, unsigned* out, unsigned n) {
    __shared__ unsigned s[256][32];
    unsigned lane = threadIdx.x % 32;
    for (unsigned b = threadIdx.x / 32; b < 256; b += blockDim.x / 32)
        s[b][lane] = 0;
    __syncthreads();

    unsigned first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    for (unsigned i = first; i < n / 16; i += stride) {
        uint4 v = ((const uint4*)in)[i];
        count(s, v.x, lane);
        count(s, v.y, lane);
        count(s, v.z, lane);
        count(s, v.w, lane);
    }
    for (unsigned i = n / 16 * 16 + first; i < n; i += stride)  // the last bytes
        atomicAdd(&s[in[i]][lane], 1);
    __syncthreads();

    for (unsigned b = threadIdx.x; b < 256; b += blockDim.x) {
        unsigned sum = 0;
        for (unsigned c = 0; c < 32; ++c)
            sum += s[b][(b + c) % 32];  // along diagonals: 32 lanes, 32 banks
        atomicAdd(&out[b], sum);
    }
}
