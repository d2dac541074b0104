// A kernel's result is compared with cuBLAS.
#include <cublas_v2.h>

#include <cstdio>
#include <vector>

constexpr int m = 5, n = 4, k = 3;

__global__ void multiply(const float* a, const float* b, float* c) {
    const int row = threadIdx.x, column = threadIdx.y;
    float sum = 0;
    for (int i = 0; i < k; ++i)
        sum += a[row + i * m] * b[column + i * n];  // the second one is transposed
    c[row + column * m] = sum;
}

template <class T>
T* on_device(const std::vector<T>& values) {
    T* made;
    cudaMalloc(&made, values.size() * sizeof(T));
    cudaMemcpy(made, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    return made;
}

int main() {
    std::vector<float> a(m * k), b(n * k), own(m * n), theirs(7 * n, -1);
    for (size_t i = 0; i < a.size(); ++i)
        a[i] = static_cast<float>(i) - 3;
    for (size_t i = 0; i < b.size(); ++i)
        b[i] = static_cast<float>(i * i % 7);
    float *d_a = on_device(a), *d_b = on_device(b), *d_own = on_device(own), *d_theirs = on_device(theirs);
    multiply<<<1, dim3(m, n)>>>(d_a, d_b, d_own);

    cublasHandle_t handle;
    cublasCreate(&handle);
    const float one = 1, zero = 0;
    const cublasStatus_t product =
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &one, d_a, m, d_b, n, &zero, d_theirs, 7);
    cudaMemcpy(own.data(), d_own, sizeof(float) * m * n, cudaMemcpyDeviceToHost);
    cudaMemcpy(theirs.data(), d_theirs, sizeof(float) * 7 * n, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int column = 0; column < n; ++column)
        for (int row = 0; row < 7; ++row)
            wrong += theirs[row + column * 7] != (row < m ? own[row + column * m] : -1);
    std::printf("gemm %d, %d wrong\n", product, wrong);

    double *x = on_device<double>({1, 9, 2, 9, 3, 9}), *y = on_device<double>({4, 5, 6}), sum = 0, two = 2;
    double* d_sum = on_device<double>({0});
    const cublasStatus_t added = cublasDaxpy(handle, 3, &two, x, 2, y, 1);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    const cublasStatus_t dot = cublasDdot(handle, 3, x, 2, y, 1, d_sum);
    cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    int largest = 0;
    cublasIdamax(handle, 6, x, 1, &largest);
    std::printf("axpy %d, dot %d: %g, largest %d\n", added, dot, sum, largest);

    double *matrix = on_device<double>({1, 2, 3, 4, 5, 6}), back[3];  // three rows, two columns
    const cublasStatus_t times = cublasDgemv(handle, CUBLAS_OP_N, 3, 2, &two, matrix, 3, x, 1, &two, y, 1);
    cublasGetVector(3, sizeof(double), y, 1, back, 1);
    std::printf("gemv %d: %g %g %g\n", times, back[0], back[1], back[2]);

    const int narrow =
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, d_a, 2, d_b, n, &zero, d_own, m);
    const int backward = cublasDscal(handle, 3, &two, y, -1),
              absent = cublasSrotm(handle, 1, d_a, 1, d_b, 1, &one);
    const int freed = cudaFree(d_a) + cublasSnrm2(handle, m * k, d_a, 1, own.data());
    std::printf("narrow %d, backward %d, absent %d, freed %d\n", narrow, backward, absent, freed);
    return cublasDestroy(handle);
}
