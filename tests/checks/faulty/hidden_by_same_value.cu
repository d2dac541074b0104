/*--- lanescope
title = "A read that the same value hides"

[buffers]
out = { type = "int", count = "1" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["out"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (b)
// Also: race (b) (c)
__global__ void k(int* out) {
    __shared__ int s;
    int t = threadIdx.x;
    if (t == 0) s = 1;
    __syncthreads();
    if (t == 0) {
        out[0] = s;      // (a)
        s = 0;           // (c)
    }
    if (t == 32) s = 0;  // (b)
}
