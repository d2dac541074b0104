/*--- lanescope
title = "The counter runs ahead of the block's other warps"

[buffers]
in      = { type = "int", count = "256", init = "random(0, 9)" }
squares = { type = "int", count = "256" }
counter = { type = "uint", count = "1", init = "zero" }
out     = { type = "int", count = "256" }

[[launch]]
kernel = "reverse_squares"
grid   = ["4"]
block  = ["64"]
args   = ["in", "squares", "counter", "out"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (b)
__global__ void reverse_squares(const int* in, int* squares, unsigned* counter, int* out) {
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, n = gridDim.x * blockDim.x;
    squares[i] = in[i] * in[i];              // (a)
    __threadfence();                         // a __syncthreads() must follow
    bool last = t == 0 && atomicAdd(counter, 1) == gridDim.x - 1;
    if (__syncthreads_or(last)) {
        __threadfence();
        for (unsigned k = t; k < n; k += blockDim.x)
            out[k] = squares[n - 1 - k];     // (b)
    }
}
