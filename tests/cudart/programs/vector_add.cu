// Adds two vectors, as a first program does it: allocate, copy, launch, check, free.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void add(const float* a, const float* b, float* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const float x = a[i];
        const float y = b[i];
        sum[i] = x + y;
    }
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
    std::vector<float> a(n), b(n), sum(n);
    for (int i = 0; i < n; ++i) {
        a[i] = i;
        b[i] = 2 * i;
    }
    float *d_a, *d_b, *d_sum;
    cudaMalloc(&d_a, n * sizeof(float));
    cudaMalloc((void**)&d_b, n * sizeof(float));
    cudaMalloc(&d_sum, n * sizeof(float));
    cudaMemcpy(d_a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_sum, n);
    cudaMemcpy(sum.data(), d_sum, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
        if (sum[i] != 3 * i) {
            std::printf("wrong at %d\n", i);
            return 1;
        }
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_sum);
    std::printf("all %d sums are right: %s\n", n, cudaGetErrorString(cudaGetLastError()));
    return 0;
}
