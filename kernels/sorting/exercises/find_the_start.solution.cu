/*--- lanescope
title = "Find where to start"
exercise = "sorting/find_the_start"

[params]
n     = { default = 20, min = 0, max = 134217728, label = "elements of a" }
m     = { default = 28, min = 0, max = 134217728, label = "elements of b" }
items = { default = 6, min = 1, max = 1024, label = "outputs of a thread" }
block = { default = 4, choices = [4, 32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
a   = { type = "int", count = "n", init = "each(2 * i + i / 5 * 5)" }
b   = { type = "int", count = "m", init = "each(i + i / 7 * 7 + i % 2)" }
out = { type = "int", count = "n + m" }

[[launch]]
kernel = "merge"
grid   = ["max(1, ceil_div(n + m, items * block))"]
block  = ["block"]
args   = ["a", "b", "out", "n", "m", "items"]

[[expect]]
buffer = "out"
equals = "merge(a, b)"
---*/
__global__ void merge(const int* a, const int* b, int* out, int n, int m, int items) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int begin = min(t * items, n + m);
    int end = min(begin + items, n + m);

    // How many of the first `begin` outputs come from a? The rest, begin - low, comes from b.
    int low = max(0, begin - m), high = min(begin, n);
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] <= b[begin - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }

    int i = low, k = begin - low;
    for (int place = begin; place < end; ++place) {
        bool from_a = k == m || (i < n && a[i] <= b[k]);
        out[place] = from_a ? a[i++] : b[k++];
    }
}
