/*--- lanescope
title = "A shuffle gives each lane its own address back"

[buffers]
in  = { type = "int", count = "32", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "copy(in)"
---*/
__global__ void k(const int* in, int* out) {
    int mine[2] = {in[threadIdx.x], 7};
    unsigned long long at = reinterpret_cast<unsigned long long>(mine);
    int* other = reinterpret_cast<int*>(__shfl_sync(0xffffffffu, at, threadIdx.x));
    other[in[0]] = in[threadIdx.x] + 1;
    out[threadIdx.x] = mine[in[0]] - 1;
}
