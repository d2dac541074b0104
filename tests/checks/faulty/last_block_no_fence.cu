/*--- lanescope
title = "The last block reads sums that no fence has published"

[buffers]
in      = { type = "int", count = "256", init = "random(0, 9)" }
partial = { type = "int", count = "8" }
counter = { type = "uint", count = "1", init = "zero" }
out     = { type = "int", count = "1" }

[[launch]]
kernel = "reduce"
grid   = ["8"]
block  = ["32"]
args   = ["in", "partial", "counter", "out"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (b)
__global__ void reduce(const int* in, int* partial, unsigned* counter, int* out) {
    if (threadIdx.x != 0) return;
    int sum = 0;
    for (unsigned k = 0; k < blockDim.x; ++k)
        sum += in[blockIdx.x * blockDim.x + k];
    partial[blockIdx.x] = sum;                       // (a)

    bool last = atomicAdd(counter, 1) == gridDim.x - 1;
    if (last) {
        sum = 0;
        for (unsigned b = 0; b < gridDim.x; ++b)
            sum += partial[b];                       // (b)
        out[0] = sum;
    }
}
