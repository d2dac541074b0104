/*--- lanescope
title = "One load instead of four"
exercise = "memory/one_load"

[params]
n = { default = 64, min = 1, max = 100000, label = "points n" }

[buffers]
points = { type = "int", count = "4 * n", init = "random(0, 9)" }
out    = { type = "int", count = "n" }

[[launch]]
kernel = "sum"
grid   = ["ceil_div(n, 64)"]
block  = ["64"]
args   = ["points", "out", "n"]

[[expect]]
buffer = "out"
equals = "block_sums(points, 4)"
---*/
__global__ void sum(const int4* points, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int4 p = points[i];
        out[i] = p.x + p.y + p.z + p.w;
    }
}
