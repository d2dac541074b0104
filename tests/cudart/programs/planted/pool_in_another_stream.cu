// Finds: stream_race
#include <cuda_runtime.h>
__global__ void fill(int* values) { values[threadIdx.x] = 1; }
int main() {
    int* values;
    cudaMemPool_t pool;
    cudaStream_t first, second;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaMallocFromPoolAsync((void**)&values, 256, pool, first);
    fill<<<1, 64, 0, second>>>(values);  // (bug)
    cudaDeviceSynchronize();
    cudaFree(values);
}
