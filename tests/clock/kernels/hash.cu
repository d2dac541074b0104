/*--- lanescope
title = "Rounds of integer multiplications and shifts"

[params]
n = { default = 1000 }
block = { default = 256 }
rounds = { default = 64 }

[buffers]
a = { type = "uint", count = "n", init = "iota" }

[[launch]]
kernel = "hash"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["n", "rounds", "a"]
---*/
__global__ void hash(int n, int rounds, unsigned* a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned x = a[i];
    for (int k = 0; k < rounds; ++k) {
        x ^= x >> 16;
        x *= 0x7feb352d;
        x ^= x >> 15;
    }
    a[i] = x;
}
