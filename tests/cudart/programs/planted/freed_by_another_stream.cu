// Finds: stream_race
#include <cuda_runtime.h>
__global__ void fill(int* values) { values[threadIdx.x] = 1; }
int main() {
    int* values;
    cudaStream_t first, second;
    cudaEvent_t done;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEventCreate(&done);
    cudaMallocAsync((void**)&values, 256, first);
    fill<<<1, 64, 0, first>>>(values);
    cudaEventRecord(done, first);
    cudaFreeAsync(values, second);  // (bug)
    cudaDeviceSynchronize();
}
