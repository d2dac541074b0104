// Finds: unchecked_error
#include <cuda_runtime.h>
int main() {
    int *values, host[65] = {};
    cudaMalloc(&values, 64 * sizeof(int));
    cudaMemcpy(values, host, 65 * sizeof(int), cudaMemcpyHostToDevice);  // (bug)
    cudaFree(values);
}
