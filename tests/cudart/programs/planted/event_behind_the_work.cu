// Finds: nothing
#include <cuda_runtime.h>
__global__ void fill(int* values) { values[threadIdx.x] = 1; }
int main() {
    int *values, host[64];
    cudaStream_t first, second;
    cudaEvent_t done;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    cudaMalloc(&values, 256);
    fill<<<1, 64, 0, first>>>(values);
    cudaEventRecord(done, first);
    cudaStreamWaitEvent(second, done, 0);
    cudaMemcpyAsync(host, values, 256, cudaMemcpyDeviceToHost, second);
    cudaDeviceSynchronize();
    cudaFree(values);
    return host[0] != 1;
}
