/*--- lanescope
title = "A match, and a barrier of the warp"

[buffers]
in  = { type = "int", count = "32", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]
---*/
// Lanes with the same key elect the first of them, which reads what all of them wrote.
__global__ void k(const int* in, int* out) {
    __shared__ int s[32];
    int lane = threadIdx.x, key = lane / 8;
    s[lane] = in[lane];
    unsigned peers = __match_any_sync(0xffffffffu, key);
    __syncwarp();
    int sum = 0;
    if (lane == __ffs(peers) - 1)
        for (int i = 0; i < 8; ++i)
            sum += s[8 * key + i];
    out[lane] = sum;
}
