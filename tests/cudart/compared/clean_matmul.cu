// A product of matrices of 256 x 256 numbers by tiles in shared memory.
#include <cstdio>
#include <vector>

constexpr int tile = 16, n = 256;

__global__ void multiply(const float* a, const float* b, float* c) {
    __shared__ float a_tile[tile][tile], b_tile[tile][tile];
    const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n / tile; ++t) {
        a_tile[threadIdx.y][threadIdx.x] = a[row * n + t * tile + threadIdx.x];
        b_tile[threadIdx.y][threadIdx.x] = b[(t * tile + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < tile; ++k)
            sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

int main() {
    std::vector<float> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; ++i) {
        a[i] = static_cast<float>(i % 7);
        b[i] = static_cast<float>(i % 5);
    }
    float *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, n * n * sizeof(float));
    cudaMalloc(&d_b, n * n * sizeof(float));
    cudaMalloc(&d_c, n * n * sizeof(float));
    cudaMemcpy(d_a, a.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
    multiply<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(d_a, d_b, d_c);
    cudaMemcpy(c.data(), d_c, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int row = 0; row < n; row += 37)
        for (int column = 0; column < n; column += 41) {
            float sum = 0;
            for (int k = 0; k < n; ++k)
                sum += a[row * n + k] * b[k * n + column];
            wrong += sum != c[row * n + column];
        }
    std::printf("%d wrong\n", wrong);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return wrong;
}
