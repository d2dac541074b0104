/*--- lanescope
title = "The launch gives less shared memory than the kernel uses"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "reverse"
grid   = ["1"]
block  = ["64"]
shared = "64"          # elements, where bytes were asked for
args   = ["in", "out"]

[[expect]]
problems = ["out_of_bounds"]
---*/
// Finds: out_of_bounds (a)
// Also: out_of_bounds (b)
__global__ void reverse(const int* in, int* out) {
    extern __shared__ int s[];
    unsigned t = threadIdx.x;
    s[t] = in[t];  // (a)
    __syncthreads();
    out[t] = s[63 - t];  // (b)
}
