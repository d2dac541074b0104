/*--- lanescope
title = "Scan a warp, from nothing"
exercise = "scan/scan_a_warp"

[buffers]
in  = { type = "int", count = "32", init = "random(0, 9)" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "scan"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "prefix_inclusive(in)"
---*/
__global__ void scan(const int* in, int* out) {
    unsigned t = threadIdx.x;
    int sum = in[t];

    // Write the rounds here.

    out[t] = sum;
}
