/*--- lanescope
title = "More threads than elements, and no guard"

[buffers]
in  = { type = "float", count = "1000", init = "random(0, 9)" }
out = { type = "float", count = "1000" }

[[launch]]
kernel = "scale"
grid   = ["4"]
block  = ["256"]
args   = ["in", "out"]

[[expect]]
problems = ["out_of_bounds"]
---*/
// Finds: out_of_bounds (a)
__global__ void scale(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * in[i];  // (a)
}
