// Rows of 60 numbers are taken for rows of 64: the last row's end lies in memory that belongs to another buffer.
#include <cstdio>

__global__ void clear(float* rows, int count) {
    const int row = blockIdx.x, column = threadIdx.x;
    if (row < count) rows[row * 64 + column] = 0;  // (bug)
}

int main() {
    const int count = 64;
    float *rows, *others, first = 0;
    cudaMalloc(&rows, count * 60 * sizeof(float));
    cudaMalloc(&others, count * 64 * sizeof(float));
    cudaMemset(others, 1, count * 64 * sizeof(float));
    clear<<<count, 64>>>(rows, count);
    const cudaError_t error = cudaMemcpy(&first, others, sizeof first, cudaMemcpyDeviceToHost);
    std::printf("%s\n", cudaGetErrorName(error));
    cudaFree(rows);
    cudaFree(others);
}
