/*--- lanescope
title = "The maximum of floats through atomicCAS"

[buffers]
in   = { type = "float", count = "128", init = "random(0, 9)" }
most = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "maximum"
grid   = ["2"]
block  = ["64"]
args   = ["in", "most"]
---*/
__global__ void maximum(const float* in, int* most) {
    float value = in[blockIdx.x * blockDim.x + threadIdx.x];
    int seen = atomicAdd(most, 0);
    while (__int_as_float(seen) < value) {
        int before = atomicCAS(most, seen, __float_as_int(value));
        if (before == seen) break;
        seen = before;
    }
}
