// Finds: race (a) (b)
#define BLOCK 128
__global__ void dot(const float* x, const float* y, float* partial, int n) {
    __shared__ float cache[BLOCK];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    float temp = 0;
    while (i < n) {
        temp += x[i] * y[i];
        i += blockDim.x * gridDim.x;
    }
    cache[tid] = temp;  // (a)
    for (int s = BLOCK / 2; s > 0; s >>= 1) {
        if (tid < s) cache[tid] += cache[tid + s];  // (b)
        __syncthreads();
    }
    if (tid == 0) partial[blockIdx.x] = cache[0];
}
