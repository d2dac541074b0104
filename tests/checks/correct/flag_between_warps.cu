/*--- lanescope
title = "A flag from one warp of a block to another"

[buffers]
in  = { type = "int", count = "32", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "hand_over"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "reverse(in, 32)"
---*/
__global__ void hand_over(const int* in, int* out) {
    __shared__ int s[32];
    __shared__ volatile int ready;
    unsigned lane = threadIdx.x % 32;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        s[lane] = in[lane];
        __syncwarp();
        __threadfence_block();
        if (lane == 0) ready = 1;
    } else {
        if (lane == 0)
            while (ready == 0) {
            }
        __threadfence_block();
        __syncwarp();
        out[lane] = s[31 - lane];
    }
}
