/*--- lanescope
title = "A fence for the block before a flag for the grid"

[buffers]
in   = { type = "int", count = "2", init = "iota" }
out  = { type = "int", count = "2" }
flag = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "k"
grid   = ["2"]
block  = ["1"]
args   = ["in", "out", "flag"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (b)
__global__ void k(const int* in, int* out, int* flag) {
    if (blockIdx.x == 0) {
        out[0] = in[0] + 1;  // (a)
        __threadfence_block();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {
        }
        __threadfence();
        out[1] = out[0];  // (b)
    }
}
