/*--- lanescope
title = "Every thread publishes, the last block's threads read"

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
---*/
__global__ void reverse_squares(const int* in, int* squares, unsigned* counter, int* out) {
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, n = gridDim.x * blockDim.x;
    squares[i] = in[i] * in[i];
    __threadfence();
    __syncthreads();
    bool last = t == 0 && atomicAdd(counter, 1) == gridDim.x - 1;
    if (__syncthreads_or(last)) {
        __threadfence();
        for (unsigned k = t; k < n; k += blockDim.x)
            out[k] = squares[n - 1 - k];
    }
}
