// Finds: unchecked_error
#include <cuda_runtime.h>
int main() {
    int here[32] = {}, *there;
    if (cudaMalloc(&there, sizeof here) != cudaSuccess) return 1;
    cudaMemcpy(here, there, sizeof here, cudaMemcpyHostToDevice);  // (bug)
    return cudaFree(there) != cudaSuccess;
}
