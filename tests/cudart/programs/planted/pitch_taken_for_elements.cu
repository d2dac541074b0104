// Finds: out_of_bounds
#include <cuda_runtime.h>
__global__ void fill(char* image, size_t pitch) {
    int* row = (int*)image + threadIdx.y * pitch;
    row[threadIdx.x] = 1;  // (bug)
}
int main() {
    char* image;
    size_t pitch;
    cudaMallocPitch(&image, &pitch, 16 * sizeof(int), 16);
    fill<<<1, dim3(16, 16)>>>(image, pitch);
    if (cudaDeviceSynchronize() == cudaSuccess) cudaFree(image);
}
