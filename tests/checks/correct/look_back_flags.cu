/*--- lanescope
title = "Decoupled look-back with flags and fences"

[buffers]
in     = { type = "int", count = "256", init = "random(0, 9)" }
status = { type = "int", count = "8", init = "zero" }
total  = { type = "int", count = "8" }
out    = { type = "int", count = "256" }

[[launch]]
kernel = "scan"
grid   = ["8"]
block  = ["32"]
args   = ["in", "status", "total", "out"]

[[expect]]
buffer = "out"
equals = "prefix_inclusive(in)"
---*/
__global__ void scan(const int* in, volatile int* status, volatile int* total, int* out) {
    __shared__ int before;
    unsigned lane = threadIdx.x, b = blockIdx.x, i = b * blockDim.x + lane;
    int value = in[i];
    for (unsigned d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(0xffffffff, value, d);
        if (lane >= d) value += left;
    }
    if (lane == 31) {
        before = 0;
        if (b > 0) {
            while (status[b - 1] == 0) {
            }
            __threadfence();
            before = total[b - 1];
        }
        total[b] = before + value;
        __threadfence();
        status[b] = 1;
    }
    __syncthreads();
    out[i] = before + value;
}
