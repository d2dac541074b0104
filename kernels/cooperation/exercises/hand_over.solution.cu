/*--- lanescope
title = "Hand over to another block (solution)"
exercise = "cooperation/hand_over"

[params]
n = { default = 64, min = 1, max = 256, label = "elements n" }

[buffers]
in    = { type = "int", count = "n", init = "random(0, 99)" }
box   = { type = "int", count = "n" }
ready = { type = "uint", count = "1", init = "zero" }
out   = { type = "int", count = "n" }

[[launch]]
kernel = "hand_over"
grid   = ["2"]
block  = ["n"]
args   = ["in", "box", "ready", "out"]

[[expect]]
buffer = "out"
equals = "reverse(in, n)"
---*/
__global__ void hand_over(const int* in, int* box, unsigned* ready, int* out) {
    unsigned t = threadIdx.x, n = blockDim.x;
    if (blockIdx.x == 0) {
        box[t] = in[t];
        __threadfence();
        __syncthreads();
        if (t == 0)
            atomicExch(ready, 1);
    } else {
        if (t == 0)
            while (atomicAdd(ready, 0) == 0) {
            }
        __syncthreads();
        __threadfence();
        out[t] = box[n - 1 - t];
    }
}
