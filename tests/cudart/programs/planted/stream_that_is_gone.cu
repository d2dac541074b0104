// Finds: unchecked_error
#include <cuda_runtime.h>
__global__ void one(int* out) { out[threadIdx.x] = 1; }
template <class T> __global__ void other(T* out) { out[threadIdx.x] = 2; }
int main() {
    int* out;
    cudaStream_t stream;
    cudaMalloc(&out, 256);
    cudaStreamCreate(&stream);
    one<<<1, 64, 0, stream>>>(out);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    other<<<1, 64, 0, stream>>>(out);  // (bug)
    cudaDeviceSynchronize();
    cudaFree(out);
}
