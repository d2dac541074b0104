// Notes: deadlock (a) (b)
__global__ void exchange(int* parts, int* arrived, int* out) {
    if (threadIdx.x < 2) parts[blockIdx.x * 2 + threadIdx.x] = threadIdx.x + 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < 2) {  // (a)
        }
        __threadfence();
    }
    __syncthreads();  // (b)
    if (blockIdx.x == 0 && threadIdx.x < 4) out[threadIdx.x] = parts[threadIdx.x];
}
