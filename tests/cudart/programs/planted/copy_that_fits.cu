// Finds: nothing
#include <cuda_runtime.h>
int main() {
    int *values, host[65] = {};
    cudaMalloc(&values, 64 * sizeof(int));
    cudaMemcpy(values, host, 64 * sizeof(int), cudaMemcpyHostToDevice);
    cudaFree(values);
}
