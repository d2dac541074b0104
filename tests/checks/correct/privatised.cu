/*--- lanescope
title = "Seven bins of four letters, one copy a block"

[buffers]
text = { type = "uchar", count = "41", text = "Programming Massively Parallel Processors" }
out  = { type = "uint", count = "7", init = "zero" }

[[launch]]
kernel = "histogram"
grid   = ["1"]
block  = ["64"]
args   = ["text", "out", "text.count"]

[[expect]]
buffer = "out"
equals = "letter_histogram(text, 4)"
---*/
__global__ void histogram(const unsigned char* text, unsigned* out, unsigned n) {
    __shared__ unsigned h[7];
    unsigned t = threadIdx.x;
    if (t < 7) h[t] = 0;
    __syncthreads();

    int letter = t < n ? text[t] - 'a' : -1;
    if (letter >= 0 && letter < 26) atomicAdd(&h[letter / 4], 1);
    __syncthreads();

    if (t < 7) atomicAdd(&out[t], h[t]);
}
