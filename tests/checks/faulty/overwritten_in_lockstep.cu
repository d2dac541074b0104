/*--- lanescope
title = "Lanes overwrite what their neighbours read"
problems = ["unsynced_lanes"]

[buffers]
a = { type = "int", count = "32", init = "iota" }

[[launch]]
kernel = "rotate"
grid   = ["1"]
block  = ["32"]
args   = ["a"]
---*/
// Finds: unsynced_lanes (a) (b)
__global__ void rotate(int* a) {
    int v = a[(threadIdx.x + 1) % 32];  // (a)
    a[threadIdx.x] = v;                 // (b)
}
