/*--- lanescope
title = "A wait with a growing pause for a flag"

[buffers]
in  = { type = "int", count = "2", init = "iota" }
out = { type = "int", count = "2" }
flag = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out", "flag"]
---*/
// A wait that sleeps longer each time, as libraries do.
__global__ void k(const int* in, int* out, volatile int* flag) {
    if (threadIdx.x == 32) {
        unsigned long long begin = clock64();
        while (*flag == 0) {
            unsigned long long waited = clock64() - begin;
            __nanosleep(waited < 1000 ? 20 : 200);
        }
        out[0] = in[0];
    } else if (threadIdx.x == 0) {
        out[1] = in[0];
        *flag = 1;
    }
}
