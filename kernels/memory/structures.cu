/*--- lanescope
title = "Array of structures or structure of arrays"

[params]
n = { default = 64, min = 0, max = 67108864, label = "points n" }

[buffers]
points = { type = "int", count = "4 * n", init = "iota" }
x      = { type = "int", count = "n", init = "iota(0, 4)" }
out1   = { type = "int", count = "n" }
out2   = { type = "int", count = "n" }

[[launch]]
kernel = "of_structures"
grid   = ["max(1, ceil_div(n, 64))"]
block  = ["64"]
args   = ["points", "out1", "n"]

[[launch]]
kernel = "of_arrays"
grid   = ["max(1, ceil_div(n, 64))"]
block  = ["64"]
args   = ["x", "out2", "n"]

[[expect]]
buffer = "out1"
equals = "copy(x)"

[[expect]]
buffer = "out2"
equals = "copy(x)"
---*/
struct Point {
    int x, y, z, mass;
};

__global__ void of_structures(const Point* points, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = points[i].x;
}

__global__ void of_arrays(const int* x, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = x[i];
}
