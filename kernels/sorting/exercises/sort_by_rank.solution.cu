/*--- lanescope
title = "Sort by rank"
exercise = "sorting/sort_by_rank"

[params]
n     = { default = 40, min = 1, max = 4096, label = "elements n" }
block = { default = 32, choices = [32, 64, 128], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 20)" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "sort"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "sort(in)"
---*/
// Each thread counts how many elements belong before its own, and writes its element to that place.
__global__ void sort(const int* in, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned place = 0;
    for (unsigned k = 0; k < n; ++k)
        place += in[k] < in[i] || (in[k] == in[i] && k < i);
    out[place] = in[i];
}
