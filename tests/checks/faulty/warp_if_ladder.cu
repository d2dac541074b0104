/*--- lanescope
title = "Warp sum the way it was written before Volta"

[buffers]
in  = { type = "int", count = "32", init = "random(0, 9)" }
out = { type = "int", count = "1" }

[[launch]]
kernel = "reduce"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
problems = ["unsynced_lanes"]
---*/
// Finds: unsynced_lanes (a) (b); unsynced_lanes (b) (c); unsynced_lanes (c) (d); unsynced_lanes (d) (e); unsynced_lanes (e) (f)
// Also: unsynced_lanes (a) (c); unsynced_lanes (a) (d); unsynced_lanes (a) (e); unsynced_lanes (a) (f); unsynced_lanes (b) (b); unsynced_lanes (c) (c); unsynced_lanes (d) (d); unsynced_lanes (e) (e); unsynced_lanes (f) (f)
__global__ void reduce(const int* in, int* out) {
    __shared__ volatile int s[32];
    unsigned lane = threadIdx.x;
    s[lane] = in[lane];                          // (a)
    if (lane < 16) s[lane] += s[lane + 16];      // (b)
    if (lane < 8) s[lane] += s[lane + 8];        // (c)
    if (lane < 4) s[lane] += s[lane + 4];        // (d)
    if (lane < 2) s[lane] += s[lane + 2];        // (e)
    if (lane < 1) s[lane] += s[lane + 1];        // (f)
    if (lane == 0) out[0] = s[0];
}
