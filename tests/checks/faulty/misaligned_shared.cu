/*--- lanescope
title = "An int at every byte of shared memory"

[buffers]
in  = { type = "uchar", count = "36", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "words"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
problems = ["misaligned"]
---*/
// Finds: misaligned (a)
__global__ void words(const unsigned char* in, int* out) {
    __shared__ __align__(4) unsigned char s[36];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    if (t < 4) s[32 + t] = in[32 + t];
    __syncthreads();
    out[t] = *reinterpret_cast<int*>(&s[t]);  // (a)
}
