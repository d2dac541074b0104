// Finds: uninitialised (a)
__global__ void sum(const int* in, int* out) {
    __shared__ int total;
    atomicAdd(&total, in[threadIdx.x]);  // (a)
    __syncthreads();
    if (threadIdx.x == 0) out[0] = total;
}
