// Finds: deadlock (a) (b)
__global__ void wait(volatile int* ready, int* out) {
    if (threadIdx.x >= 32)
        while (*ready == 0) {  // (b)
        }
    __syncthreads();  // (a)
    if (threadIdx.x == 0) *ready = 1;
    out[threadIdx.x] = 1;
}
