// Finds: stream_race
#include <cuda_runtime.h>
__global__ void fill(int* values) { values[threadIdx.x] = 1; }
int main() {
    int* values;
    cudaStream_t first, second;
    cudaEvent_t there;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEventCreate(&there);
    cudaMallocAsync((void**)&values, 256, first);
    cudaEventRecord(there, first);
    fill<<<1, 64, 0, second>>>(values);  // (bug)
    cudaDeviceSynchronize();
    cudaFree(values);
}
