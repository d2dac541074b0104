/*--- lanescope
title = "A shuffle hands out the address of a local array"

[buffers]
in  = { type = "int", count = "32", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
problems = ["out_of_bounds"]
---*/
// Finds: out_of_bounds (a)
__global__ void k(const int* in, int* out) {
    int mine[2] = {in[threadIdx.x], 7};
    unsigned long long at = reinterpret_cast<unsigned long long>(mine);
    int* other = reinterpret_cast<int*>(__shfl_sync(0xffffffffu, at, 0));
    other[in[0]] = in[threadIdx.x] + 1;  // (a)
    out[threadIdx.x] = mine[in[0]] - 1;
}
