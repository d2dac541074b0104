/*--- lanescope
title = "Each half of a block has its own barrier"

[buffers]
in  = { type = "int", count = "128", init = "iota" }
out = { type = "int", count = "128" }

[[launch]]
kernel = "reverse"
grid   = ["1"]
block  = ["128"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "reverse(in, 64)"
---*/
__global__ void reverse(const int* in, int* out) {
    __shared__ int s[128];
    unsigned t = threadIdx.x, half = t / 64;
    s[t] = in[t];
    asm volatile("bar.sync %0, 64;" ::"r"(1 + half) : "memory");
    out[t] = s[64 * half + 63 - t % 64];
}
