/*--- lanescope
title = "Barriers that count and combine"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "3" }

[[launch]]
kernel = "count"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
values = [32, 1, 0]
---*/
__global__ void count(const int* in, int* out) {
    int value = in[threadIdx.x];
    int even = __syncthreads_count(value % 2 == 0);
    int any = __syncthreads_or(value == 63);
    int all = __syncthreads_and(value < 63);
    if (threadIdx.x == 0) {
        out[0] = even;
        out[1] = any != 0;
        out[2] = all != 0;
    }
}
