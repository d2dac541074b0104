/*--- lanescope
title = "A shuffle reads lanes that are not there"

[buffers]
in  = { type = "int", count = "32", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "next"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
problems = ["unsynced_lanes"]
---*/
// Finds: unsynced_lanes (a)
__global__ void next(const int* in, int* out) {
    unsigned lane = threadIdx.x;
    int value = in[lane];
    if (lane < 24)
        value += __shfl_down_sync(0x00ffffff, value, 8);  // (a) lanes 24 to 31 give nothing
    out[lane] = value;
}
