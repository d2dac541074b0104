/*--- lanescope
title = "Seven bins, indexed by byte / 4"

[buffers]
text = { type = "uchar", count = "41", text = "Programming Massively Parallel Processors" }
out  = { type = "uint", count = "7", init = "zero" }

[[launch]]
kernel = "histogram"
grid   = ["1"]
block  = ["64"]
args   = ["text", "out", "text.count"]

[[expect]]
problems = ["out_of_bounds"]
---*/
// Finds: out_of_bounds (a)
__global__ void histogram(const unsigned char* text, unsigned* out, unsigned n) {
    __shared__ unsigned h[7];
    unsigned t = threadIdx.x;
    if (t < 7) h[t] = 0;
    __syncthreads();

    if (t < n) atomicAdd(&h[text[t] / 4], 1);  // (a) 'P' is 80, and 80 / 4 is 20
    __syncthreads();

    if (t < 7) atomicAdd(&out[t], h[t]);
}
