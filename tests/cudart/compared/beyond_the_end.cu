// The last block has threads beyond the end, and no guard.
#include <cstdio>

__global__ void scale(float* values, float by) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] *= by;  // (bug)
}

int main() {
    const int n = 1000;
    float* values;
    cudaMalloc(&values, n * sizeof(float));
    cudaMemset(values, 0, n * sizeof(float));
    scale<<<(n + 255) / 256, 256>>>(values, 2);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorName(error));
    cudaFree(values);
}
