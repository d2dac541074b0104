/*--- lanescope
title = "Visit every vertex once"
exercise = "sparse/visit_once"

[params]
height = { default = 5, min = 1, max = 4096 }
width  = { default = 9, min = 1, max = 4096 }
random = { default = 0, choices = [0, 1], label = "0: a grid, 1: a random graph" }
source = { default = 21, min = 0, max = 16777215, label = "first vertex" }
block  = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
level   = { type = "int", shape = ["height", "width"], init = "each(i == source ? 0 : -1)" }
offsets = { type = "int", count = "height * width + 1", init = "each(4 * i)" }
edges   = { type = "int", count = "4 * height * width", init = "each(random ? i * 2654435761 % 4294967296 * (i % 1021 + 3) / 512 % (height * width) : i % 4 == 0 ? i / 4 - (i / 4 / width > 0) * width : i % 4 == 1 ? i / 4 - (i / 4 % width > 0) : i % 4 == 2 ? i / 4 + (i / 4 % width < width - 1) : i / 4 + (i / 4 / width < height - 1) * width)" }
a       = { type = "int", count = "height * width", init = "each(i == 0 ? source : -1)" }
b       = { type = "int", count = "height * width", init = "constant(-1)" }
counts  = { type = "int", count = "(random ? 3 * log2(height * width) + 8 : height + width) + 1", init = "each(i == 0)" }

[arrays]
edges  = { shape = ["height", "4 * width"] }
a      = { shape = ["min(32, a.count)"] }
b      = { shape = ["min(32, b.count)"] }
counts = { view = "bars" }

[[launch]]
kernel = "visit"
repeat = "d = 0; d < counts.count - 1; d + 1"
grid   = ["ceil_div(height * width, block)"]
block  = ["block"]
args   = ["offsets", "edges", "level", "d % 2 ? b : a", "d % 2 ? a : b", "counts", "d"]

[[expect]]
buffer = "level"
equals = "levels(offsets, edges, source)"
---*/
// Visits the neighbours of the frontier, whose vertices have level d. New ones are the next frontier.
__global__ void visit(const int* offsets, const int* edges, int* level, const int* frontier, int* next, int* counts,
                      int d) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= counts[d])
        return;

    int v = frontier[k];
    for (int i = offsets[v]; i < offsets[v + 1]; ++i) {
        int w = edges[i];
        if (atomicCAS(&level[w], -1, d + 1) == -1)
            next[atomicAdd(&counts[d + 1], 1)] = w;
    }
}
