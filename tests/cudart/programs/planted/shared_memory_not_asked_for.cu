// Finds: unchecked_error
#include <cuda_runtime.h>
__global__ void first(int* out) {
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[threadIdx.x];
}
int main() {
    int* out;
    cudaMalloc(&out, 256);
    first<<<1, 64, 65536>>>(out);  // (bug)
    cudaDeviceSynchronize();
    cudaFree(out);
}
