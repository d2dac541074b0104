/*--- lanescope
title = "All threads write one cell: which value stays?"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "1" }

[[launch]]
kernel = "pick"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (a)
__global__ void pick(const int* in, int* out) {
    if (in[threadIdx.x] % 2 == 1)
        out[0] = in[threadIdx.x];  // (a)
}
