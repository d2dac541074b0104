// Finds: stream_race
#include <cuda_runtime.h>
int main() {
    int* values;
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaMallocAsync((void**)&values, 1024, first);
    cudaMemsetAsync(values, 0, 1024, second);  // (bug)
    cudaDeviceSynchronize();
    cudaFreeAsync(values, first);
}
