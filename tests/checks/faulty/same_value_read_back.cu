/*--- lanescope
title = "Every block writes the same value and reads it"

[buffers]
found = { type = "int", count = "1", init = "zero" }
out   = { type = "int", count = "2" }

[[launch]]
kernel = "k"
grid   = ["2"]
block  = ["32"]
args   = ["found", "out"]
---*/
// Notes: race (a) (a); race (a) (b)
__global__ void k(int* found, int* out) {
    if (threadIdx.x == 0) found[0] = 1;                    // (a)
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = found[0] + 1;  // (b)
}
