// A kernel that launches kernels, which read a variable of the module.
#include <cstdio>

__constant__ int step;

__global__ void child(int* values, int from) {
    values[from + threadIdx.x] += step * from;
}

__global__ void parent(int* values, int parts) {
    const int part = blockIdx.x * blockDim.x + threadIdx.x;
    if (part < parts) child<<<1, 8>>>(values, part * 8);
}

int main() {
    constexpr int parts = 4, n = parts * 8;
    int *d_values, h_values[n], by = 3;
    cudaMemcpyToSymbol(step, &by, sizeof by);
    cudaMalloc(&d_values, sizeof h_values);
    cudaMemset(d_values, 0, sizeof h_values);
    parent<<<2, 2>>>(d_values, parts);
    cudaMemcpy(h_values, d_values, sizeof h_values, cudaMemcpyDeviceToHost);
    int sum = 0;
    for (int each : h_values) sum += each;
    printf("%d %s\n", sum, cudaGetErrorName(cudaGetLastError()));
    cudaFree(d_values);
    return 0;
}
