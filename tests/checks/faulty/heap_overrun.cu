/*--- lanescope
title = "One element more than was allocated"

[buffers]
in  = { type = "int", count = "32", init = "iota" }
out = { type = "int", count = "1" }

[[launch]]
kernel = "reverse_sum"
grid   = ["1"]
block  = ["1"]
args   = ["in", "out", "in.count"]

[[expect]]
problems = ["out_of_bounds"]
---*/
// Finds: out_of_bounds (a)
__global__ void reverse_sum(const int* in, int* out, int n) {
    int* copy = static_cast<int*>(malloc(n * sizeof(int)));
    for (int k = 0; k < n; ++k)
        copy[n - k] = in[k];  // (a) n - 1 - k was meant
    int sum = 0;
    for (int k = 1; k < n; ++k)
        sum += copy[k];
    free(copy);
    out[0] = sum;
}
