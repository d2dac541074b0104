#include <cuda_pipeline.h>

__global__ void transpose(const int* in, int* out, unsigned n) {
    __shared__ int s[32][33];
    unsigned x = threadIdx.x, y = threadIdx.y;
    __pipeline_memcpy_async(&s[y][x], &in[y * n + x], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[y * n + x] = s[x][y];
}
