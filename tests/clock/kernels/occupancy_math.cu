/*--- lanescope
title = "Multiplications that depend on each other; shared memory limits the resident blocks"

[params]
n = { default = 65536 }
block = { default = 128 }
shared = { default = 1024 }
rounds = { default = 256 }

[buffers]
a = { type = "float", count = "n", init = "random(0.0, 1.0)" }

[[launch]]
kernel = "chain"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
shared = "shared"
args   = ["n", "rounds", "a"]
---*/
__global__ void chain(int n, int rounds, float* a) {
    extern __shared__ int unused[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = a[i];
    for (int k = 0; k < rounds; ++k)
        x = x * 0.999f + 0.001f;
    a[i] = x;
}
