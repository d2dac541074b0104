/*--- lanescope
title = "Decoupled look-back: aggregate, prefix and state in one word"

[buffers]
in     = { type = "int", count = "256", init = "random(0, 9)" }
states = { type = "ulong", count = "8", init = "zero" }
out    = { type = "int", count = "256" }

[[launch]]
kernel = "scan"
grid   = ["8"]
block  = ["32"]
args   = ["in", "states", "out"]

[[expect]]
buffer = "out"
equals = "prefix_inclusive(in)"
---*/
constexpr unsigned long long aggregate = 1ull << 32, prefix = 2ull << 32;
__global__ void scan(const int* in, unsigned long long* states, int* out) {
    unsigned lane = threadIdx.x, b = blockIdx.x, i = b * blockDim.x + lane;
    int value = in[i];
    for (unsigned d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(0xffffffff, value, d);
        if (lane >= d) value += left;
    }
    int before = 0;
    if (lane == 31) {
        atomicExch(&states[b], (b == 0 ? prefix : aggregate) | unsigned(value));
        for (int k = int(b) - 1; k >= 0;) {
            unsigned long long state = atomicAdd(&states[k], 0ull);
            if (state == 0) continue;
            before += int(state & 0xffffffff);
            if (state >= prefix) break;
            --k;
        }
        if (b > 0) atomicExch(&states[b], prefix | unsigned(before + value));
    }
    before = __shfl_sync(0xffffffff, before, 31);
    out[i] = before + value;
}
