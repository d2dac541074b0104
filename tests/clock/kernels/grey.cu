/*--- lanescope
title = "Interleaved colours to grey"

[params]
n = { default = 1000 }
block = { default = 256 }

[buffers]
in = { type = "uchar", count = "3 * n", init = "random(0, 255)" }
out = { type = "uchar", count = "n" }

[[launch]]
kernel = "grey"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["n", "in", "out"]
---*/
__global__ void grey(int n, const unsigned char* in, unsigned char* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (77 * in[3 * i] + 150 * in[3 * i + 1] + 29 * in[3 * i + 2]) >> 8;
}
