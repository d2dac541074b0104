/*--- lanescope
title = "One warp makes, the other uses: named barriers"

[buffers]
numbers = { type = "int", count = "128", init = "iota" }
out     = { type = "int", count = "128" }

[[launch]]
kernel = "pass_on"
grid   = ["1"]
block  = ["64"]
args   = ["out"]

[[expect]]
buffer = "out"
equals = "copy(numbers)"
---*/
__global__ void pass_on(int* out) {
    __shared__ int s[32];
    unsigned lane = threadIdx.x % 32;
    for (int round = 0; round < 4; ++round) {
        if (threadIdx.x < 32) {
            s[31 - lane] = 32 * round + 31 - lane;
            asm volatile("bar.arrive 1, 64;" ::: "memory");   // full
            asm volatile("bar.sync 2, 64;" ::: "memory");     // empty
        } else {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            out[32 * round + lane] = s[lane];
            asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    }
}
