/*--- lanescope
title = "Every block adds to one sum, atomically"

[buffers]
in  = { type = "int", count = "256", init = "random(0, 9)" }
sum = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "add"
grid   = ["8"]
block  = ["32"]
args   = ["in", "sum"]

[[expect]]
buffer = "sum"
equals = "sum(in)"
---*/
__global__ void add(const int* in, int* sum) {
    if (threadIdx.x != 0) return;
    int mine = 0;
    for (unsigned k = 0; k < blockDim.x; ++k)
        mine += in[blockIdx.x * blockDim.x + k];
    atomicAdd(sum, mine);
}
