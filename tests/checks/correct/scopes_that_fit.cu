/*--- lanescope
title = "Atomic for the block in shared memory, for the grid in global memory"

[buffers]
in    = { type = "int", count = "256", init = "iota" }
count = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "tally"
grid   = ["4"]
block  = ["64"]
args   = ["in", "count"]

[[expect]]
buffer = "count"
values = [128]
---*/
__global__ void tally(const int* in, int* count) {
    __shared__ int mine;
    if (threadIdx.x == 0) mine = 0;
    __syncthreads();
    if (in[blockIdx.x * blockDim.x + threadIdx.x] % 2 == 0) atomicAdd_block(&mine, 1);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(count, mine);
}
