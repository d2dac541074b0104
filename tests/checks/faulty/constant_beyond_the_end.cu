/*--- lanescope
title = "Weights in constant memory, one place too far"

[buffers]
in  = { type = "int", count = "68", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
problems = ["out_of_bounds"]
---*/
// Finds: out_of_bounds (a)
__constant__ int weights[5] = {1, 4, 6, 4, 1};
__global__ void k(const int* in, int* out) {
    int sum = 0;
    for (int d = -2; d <= 2; ++d)
        sum += weights[d + 3] * in[threadIdx.x + d + 2];  // (a)
    out[threadIdx.x] = sum;
}
