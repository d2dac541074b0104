// Two streams change the same buffer, and nothing orders them.
#include <cstdio>

__global__ void add(int* values, int term) {
    values[blockIdx.x * blockDim.x + threadIdx.x] += term;
}

int main() {
    const int n = 1 << 16;
    int *values, last = 0;
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaMalloc(&values, n * sizeof(int));
    cudaMemset(values, 0, n * sizeof(int));
    cudaDeviceSynchronize();
    add<<<n / 256, 256, 0, first>>>(values, 1);
    add<<<n / 256, 256, 0, second>>>(values, 2);  // (bug)
    cudaDeviceSynchronize();
    cudaMemcpy(&last, values + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    std::printf("%d\n", last);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(values);
}
