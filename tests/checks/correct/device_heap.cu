/*--- lanescope
title = "Every thread allocates, uses and frees"

[buffers]
in  = { type = "int", count = "32", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "sums"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "prefix_inclusive(in)"
---*/
__global__ void sums(const int* in, int* out) {
    int n = threadIdx.x + 1;
    int* copy = static_cast<int*>(malloc(n * sizeof(int)));
    for (int k = 0; k < n; ++k)
        copy[k] = in[k];
    int sum = 0;
    for (int k = 0; k < n; ++k)
        sum += copy[k];
    free(copy);
    out[threadIdx.x] = sum;
}
