/*--- lanescope
title = "A read-only load of what another thread writes"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["2"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (b)
// Also: race (b) (c); uninitialised (b)
__global__ void k(const int* in, int* out) {
    int i = blockIdx.x * 32 + threadIdx.x;
    out[i] = in[i];  // (a)
    int other = __ldg(&out[63 - i]);  // (b)
    out[i] = other;  // (c)
}
