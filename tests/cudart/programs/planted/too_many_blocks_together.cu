// Finds: unchecked_error
#include <cuda_runtime.h>
__global__ void one(int* out) { out[threadIdx.x] = 1; }
int main() {
    int* out;
    cudaMalloc(&out, 256);
    void* arguments[] = {&out};
    one<<<1, 64>>>(out);
    cudaLaunchCooperativeKernel((void*)one, dim3(100000), dim3(64), arguments, 0, 0);  // (bug)
    cudaDeviceSynchronize();
    cudaFree(out);
}
