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
struct Point {
    int x, y, z, mass;
};

__global__ void sum(const Point* points, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = points[i].x + points[i].y + points[i].z + points[i].mass;
}
