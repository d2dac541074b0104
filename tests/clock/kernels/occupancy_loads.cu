/*--- lanescope
title = "Loads that depend on each other; shared memory limits the resident blocks"

[params]
n = { default = 65536 }
block = { default = 256 }
shared = { default = 1024 }
hops = { default = 16 }

[buffers]
next = { type = "int", count = "n", init = "random(0, n - 1)" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "chase"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
shared = "shared"
args   = ["n", "hops", "next", "out"]
---*/
__global__ void chase(int n, int hops, const int* next, int* out) {
    extern __shared__ int unused[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int at = i;
    for (int k = 0; k < hops; ++k)
        at = next[at];
    out[i] = at;
}
