/*--- lanescope
title = "Several threads write the same answer"

[buffers]
in    = { type = "int", count = "64", init = "iota" }
found = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "search"
grid   = ["1"]
block  = ["64"]
args   = ["in", "found"]
---*/
// Notes: race (a) (a)
__global__ void search(const int* in, int* found) {
    if (in[threadIdx.x] % 10 == 3) found[0] = 1;  // (a)
}
