// Finds: stream_race
#include <cuda_runtime.h>
__global__ void fill(int* values) { values[threadIdx.x] = 1; }
int main() {
    int *values, host[64];
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc(&values, 256);
    fill<<<1, 64, 0, stream>>>(values);
    cudaMemcpy(host, values, 256, cudaMemcpyDeviceToHost);  // (bug)
    cudaDeviceSynchronize();
    cudaFree(values);
    return host[0] != 1;
}
