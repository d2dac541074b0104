/*--- lanescope
title = "A named barrier waits for more threads than come"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "pairs"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
problems = ["deadlock"]
---*/
// Finds: deadlock (a)
__global__ void pairs(const int* in, int* out) {
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) {
        out[t] = s[t] + s[t + 32];
        asm volatile("bar.sync 1, 64;" ::: "memory");  // (a) 32 was meant
    }
}
