/*--- lanescope
title = "One warp in shared memory, all lanes add"

[params]
n = { default = 32, min = 0, max = 268435456, label = "elements n" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "max(1, ceil_div(n, 32))" }

[[launch]]
kernel = "reduce"
grid   = ["max(1, ceil_div(n, 32))"]
block  = ["32"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "block_sums(in, 32)"
---*/
__global__ void reduce(const int* in, int* out, unsigned n) {
    __shared__ int s[32 + 16];  // 16 cells of padding
    unsigned lane = threadIdx.x;
    unsigned i = blockIdx.x * 32 + lane;
    int sum = i < n ? in[i] : 0;
    s[lane + 16] = 0;
    __syncwarp();

    s[lane] = sum;  __syncwarp();  sum += s[lane + 16];  __syncwarp();
    s[lane] = sum;  __syncwarp();  sum += s[lane + 8];   __syncwarp();
    s[lane] = sum;  __syncwarp();  sum += s[lane + 4];   __syncwarp();
    s[lane] = sum;  __syncwarp();  sum += s[lane + 2];   __syncwarp();
    s[lane] = sum;  __syncwarp();  sum += s[lane + 1];

    if (lane == 0)
        out[blockIdx.x] = sum;
}
