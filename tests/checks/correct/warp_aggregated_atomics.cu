/*--- lanescope
title = "One atomic per warp and bin"

[buffers]
in   = { type = "int", count = "128", init = "random(0, 3)" }
bins = { type = "int", count = "4", init = "zero" }

[[launch]]
kernel = "histogram"
grid   = ["2"]
block  = ["64"]
args   = ["in", "bins"]

[[expect]]
buffer = "bins"
equals = "histogram(in, 1)"
---*/
__global__ void histogram(const int* in, int* bins) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int bin = in[i];
    unsigned same = __match_any_sync(0xffffffff, bin);
    if (lane == __ffs(same) - 1) atomicAdd(&bins[bin], __popc(same));
}
