/*--- lanescope
title = "Lanes overwrite what their neighbours read"

[buffers]
a = { type = "int", count = "32", init = "iota" }

[[launch]]
kernel = "rotate"
grid   = ["1"]
block  = ["32"]
args   = ["a"]

[[expect]]
problems = ["unsynced_lanes"]
---*/
// Finds: unsynced_lanes (a) (b)
__global__ void rotate(int* a) {
    int v = a[(threadIdx.x + 1) % 32];  // (a)
    a[threadIdx.x] = v;                 // (b)
}
