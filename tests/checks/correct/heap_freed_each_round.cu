/*--- lanescope
title = "Threads free what they allocate in a loop"

[buffers]
in  = { type = "int", count = "32", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "copy(in)"
---*/
// 32 threads take 64 KiB each, round after round.
__global__ void k(const int* in, int* out) {
    int sum = 0;
    for (int round = 0; round < 8; ++round) {
        int* list = static_cast<int*>(malloc(64 << 10));
        list[round] = in[threadIdx.x];
        sum += list[round];
        free(list);
    }
    out[threadIdx.x] = sum / 8;
}
