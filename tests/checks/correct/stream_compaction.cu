/*--- lanescope
title = "A place for every odd number, from one counter"

[buffers]
in    = { type = "int", count = "256", init = "iota" }
count = { type = "int", count = "1", init = "zero" }
odd   = { type = "int", count = "128" }

[[launch]]
kernel = "compact"
grid   = ["4"]
block  = ["64"]
args   = ["in", "count", "odd"]

[[expect]]
buffer = "count"
values = [128]
---*/
__global__ void compact(const int* in, int* count, int* odd) {
    int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (value % 2 == 1) odd[atomicAdd(count, 1)] = value;
}
