/*--- lanescope
title = "Elements that pass a test, with one atomic operation a warp"

[params]
n = { default = 1024 }
block = { default = 256 }

[buffers]
in = { type = "int", count = "n", init = "random(0, 99)" }
out = { type = "int", count = "n" }
count = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "keep"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["n", "in", "out", "count"]
---*/
__global__ void keep(int n, const int* in, int* out, int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    bool good = i < n && in[i] < 30;
    unsigned who = __ballot_sync(0xffffffff, good);
    int first = 0;
    if (lane == 0) first = atomicAdd(count, __popc(who));
    first = __shfl_sync(0xffffffff, first, 0);
    if (good) out[first + __popc(who & ((1u << lane) - 1))] = in[i];
}
