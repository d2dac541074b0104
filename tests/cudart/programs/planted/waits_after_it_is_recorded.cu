// Finds: nothing
#include <cuda_runtime.h>
__global__ void fill(int* values) { values[threadIdx.x] = 1; }
__global__ void twice(int* values) { values[threadIdx.x] *= 2; }
int main() {
    int* values;
    cudaStream_t first, second;
    cudaEvent_t done;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEventCreate(&done);
    cudaMalloc(&values, 256);
    fill<<<1, 64, 0, first>>>(values);
    cudaEventRecord(done, first);
    cudaStreamWaitEvent(second, done, 0);
    twice<<<1, 64, 0, second>>>(values);
    cudaDeviceSynchronize();
    cudaFree(values);
}
