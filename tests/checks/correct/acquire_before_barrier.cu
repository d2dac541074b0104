/*--- lanescope
title = "A fence behind the signal, before the barrier"

[buffers]
part = { type = "int", count = "4" }
done = { type = "uint", count = "1", init = "zero" }
out  = { type = "int", count = "1" }

[[launch]]
kernel = "total"
grid   = ["4"]
block  = ["32"]
args   = ["part", "done", "out"]
---*/
__global__ void total(int* part, unsigned* done, int* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = blockIdx.x + 1;
        __threadfence();
        last = atomicAdd(done, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last && threadIdx.x == 1) {
        int sum = 0;
        for (int b = 0; b < gridDim.x; ++b)
            sum += part[b];
        out[0] = sum;
    }
}
