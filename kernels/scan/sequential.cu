/*--- lanescope
title = "Prefix sum by one thread"

[params]
n = { default = 10, min = 0, max = 1048576, label = "elements n" }

[buffers]
in  = { type = "int", count = "n", values = [3, 5, 2, 7, 28, 4, 3, 0, 8, 1] }
out = { type = "int", count = "n" }

[[launch]]
kernel = "scan"
grid   = ["1"]
block  = ["1"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "prefix_inclusive(in)"
---*/
__global__ void scan(const int* in, int* out, unsigned n) {
    if (n == 0)
        return;

    int sum = in[0];
    out[0] = sum;
    for (unsigned i = 1; i < n; ++i) {
        sum += in[i];
        out[i] = sum;
    }
}
