/*--- lanescope
title = "A lock for the lanes of a warp: try, work, release"

[buffers]
mutex = { type = "int", count = "1", init = "zero" }
total = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "add"
grid   = ["2"]
block  = ["64"]
args   = ["mutex", "total"]

[[expect]]
buffer = "total"
values = [128]
---*/
__global__ void add(int* mutex, int* total) {
    bool done = false;
    while (!done) {
        if (atomicCAS(mutex, 0, 1) == 0) {
            __threadfence();
            *total += 1;
            __threadfence();
            atomicExch(mutex, 0);
            done = true;
        }
    }
}
