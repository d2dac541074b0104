// Products of matrices by cuBLAS and cuBLASLt, with types as arguments, compared with sums of the host.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr int m = 8, n = 5, k = 7;
int wrong = 0, products = 0;

__global__ void scale(float* values, float by) { values[threadIdx.x] *= by; }

template <class T>
T* on_device(const std::vector<float>& values) {
    std::vector<T> converted(values.begin(), values.end());
    T* made;
    cudaMalloc(&made, converted.size() * sizeof(T));
    cudaMemcpy(made, converted.data(), converted.size() * sizeof(T), cudaMemcpyHostToDevice);
    return made;
}

std::vector<float> numbers(int count, int seed) {
    std::vector<float> made(count);
    for (int i = 0; i < count; ++i)
        made[i] = float((i * 7 + seed * 3) % 11 - 5) / 4;  // exact in half precision
    return made;
}

// alpha op(a) op(b) + beta c, by columns
std::vector<float> expected(bool a_t, bool b_t, const float* a, const float* b, const float* c, float alpha, float beta) {
    std::vector<float> made(m * n);
    for (int row = 0; row < m; ++row)
        for (int column = 0; column < n; ++column) {
            float sum = 0;
            for (int i = 0; i < k; ++i)
                sum += (a_t ? a[i + row * k] : a[row + i * m]) * (b_t ? b[column + i * n] : b[i + column * k]);
            made[row + column * m] = alpha * sum + (beta != 0 ? beta * c[row + column * m] : 0);
        }
    return made;
}

template <class T>
void compare(const char* what, cublasStatus_t status, const T* device, const std::vector<float>& wanted, float within) {
    std::vector<T> got(wanted.size());
    cudaMemcpy(got.data(), device, got.size() * sizeof(T), cudaMemcpyDeviceToHost);
    int bad = status != CUBLAS_STATUS_SUCCESS;
    for (size_t i = 0; i < got.size(); ++i)
        bad += !(std::fabs(float(got[i]) - wanted[i]) <= within * (1 + std::fabs(wanted[i])));
    ++products;
    if (bad) std::printf("%s: status %d, %d differ\n", what, status, bad);
    wrong += bad != 0;
}

template <class T>
void typed(cublasHandle_t handle, const char* what, cudaDataType type, cublasComputeType_t compute, float within) {
    const int batch = 3;
    const std::vector<float> a = numbers(m * k * batch, 1), b = numbers(k * n * batch, 2), c = numbers(m * n * batch, 3);
    T *d_a = on_device<T>(a), *d_b = on_device<T>(b), *d_c = on_device<T>(c);
    const float alpha = 1.5f, beta = 0.5f;
    const double alpha_d = alpha, beta_d = beta;
    const __half alpha_h = alpha, beta_h = beta;
    const bool whole = compute == CUBLAS_COMPUTE_64F, narrow = compute == CUBLAS_COMPUTE_16F;
    const void *by = whole ? (const void*)&alpha_d : narrow ? (const void*)&alpha_h : &alpha,
               *old = whole ? (const void*)&beta_d : narrow ? (const void*)&beta_h : &beta;
    const cublasStatus_t one = cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, by, d_a, type, k, d_b, type, k, old,
                                            d_c, type, m, compute, CUBLAS_GEMM_DEFAULT);
    compare(what, one, d_c, expected(true, false, a.data(), b.data(), c.data(), alpha, beta), within);
    const float zero = 0;
    const double zero_d = 0;
    const __half zero_h = 0.0f;
    old = whole ? (const void*)&zero_d : narrow ? (const void*)&zero_h : &zero;
    const cublasStatus_t all = cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, by, d_a, type, m, m * k,
                                                          d_b, type, n, k * n, old, d_c, type, m, m * n, batch, compute,
                                                          CUBLAS_GEMM_DEFAULT);
    std::vector<float> wanted;
    for (int i = 0; i < batch; ++i)
        for (float each : expected(false, true, &a[i * m * k], &b[i * k * n], nullptr, alpha, 0))
            wanted.push_back(each);
    compare(what, all, d_c, wanted, within);
    std::vector<const void*> as, bs;
    std::vector<void*> cs;
    for (int i = 0; i < batch; ++i)
        as.push_back(d_a + i * m * k), bs.push_back(d_b + i * k * n), cs.push_back(d_c + (batch - 1 - i) * m * n);
    void** places;
    cudaMalloc(&places, 3 * batch * sizeof(void*));
    cudaMemcpy(places, as.data(), batch * sizeof(void*), cudaMemcpyHostToDevice);
    cudaMemcpy(places + batch, bs.data(), batch * sizeof(void*), cudaMemcpyHostToDevice);
    cudaMemcpy(places + 2 * batch, cs.data(), batch * sizeof(void*), cudaMemcpyHostToDevice);
    const cublasStatus_t each = cublasGemmBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, by, (const void**)places, type,
                                                    m, (const void**)(places + batch), type, n, old, places + 2 * batch, type,
                                                    m, batch, compute, CUBLAS_GEMM_DEFAULT);
    std::vector<float> backward;
    for (int i = batch; i-- > 0;)
        backward.insert(backward.end(), wanted.begin() + i * m * n, wanted.begin() + (i + 1) * m * n);
    compare(what, each, d_c, backward, within);
    cudaFree(places), cudaFree(d_a), cudaFree(d_b), cudaFree(d_c);
}

float gelu(float x) { return 0.5f * x * (1 + std::tanh(0.79788456f * (x + 0.044715f * x * x * x))); }
float gelu_slope(float x) { return (gelu(x + 1e-3f) - gelu(x - 1e-3f)) / 2e-3f; }

// As a transformer's layer calls it: bias and GELU behind the product, their gradient in the way back.
template <class T>
void light(const char* what, cudaDataType type, float within) {
    const std::vector<float> a = numbers(m * k, 1), b = numbers(k * n, 2), bias = numbers(m, 4);
    T *d_a = on_device<T>(a), *d_b = on_device<T>(b), *d_bias = on_device<T>(bias), *d_d = on_device<T>(numbers(m * n, 0)),
      *d_aux = on_device<T>(numbers(m * n, 0));
    cublasLtHandle_t handle;
    cublasLtCreate(&handle);
    cublasLtMatmulDesc_t operation;
    cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    const cublasOperation_t transposed = CUBLAS_OP_T;
    cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed);
    cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_GELU_AUX_BIAS;
    cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
    cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &d_bias, sizeof d_bias);
    cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &d_aux, sizeof d_aux);
    const int64_t stride = m;
    cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &stride, sizeof stride);
    cublasLtMatrixLayout_t a_layout, b_layout, d_layout;
    cublasLtMatrixLayoutCreate(&a_layout, type, k, m, k);
    cublasLtMatrixLayoutCreate(&b_layout, type, k, n, k);
    cublasLtMatrixLayoutCreate(&d_layout, type, m, n, m);
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulPreferenceCreate(&preference);
    cublasLtMatmulHeuristicResult_t way;
    int ways = 0;
    const float alpha = 0.25f, zero = 0;
    const auto product = [&] {
        cublasLtMatmulAlgoGetHeuristic(handle, operation, a_layout, b_layout, d_layout, d_layout, preference, 1, &way, &ways);
        return cublasLtMatmul(handle, operation, &alpha, d_a, a_layout, d_b, b_layout, &zero, d_d, d_layout, d_d, d_layout,
                              &way.algo, nullptr, 0, 0);
    };
    const cublasStatus_t forward = product();
    const std::vector<float> sums = expected(true, false, a.data(), b.data(), nullptr, alpha, 0);
    std::vector<float> before = sums, after(m * n), gradient(m * n);
    for (int i = 0; i < m * n; ++i) {
        before[i] += bias[i % m];
        after[i] = gelu(before[i]);
        gradient[i] = sums[i] * gelu_slope(before[i]);
    }
    compare(what, ways == 1 ? forward : CUBLAS_STATUS_NOT_SUPPORTED, d_d, after, within);
    compare(what, forward, d_aux, before, within);
    const T* none = nullptr;
    cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &none, sizeof none);
    epilogue = CUBLASLT_EPILOGUE_DGELU;
    cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
    compare(what, product(), d_d, gradient, 4 * within);
    cublasLtMatmulPreferenceDestroy(preference);
    for (cublasLtMatrixLayout_t layout : {a_layout, b_layout, d_layout})
        cublasLtMatrixLayoutDestroy(layout);
    cublasLtMatmulDescDestroy(operation);
    cublasLtDestroy(handle);
    cudaFree(d_a), cudaFree(d_b), cudaFree(d_bias), cudaFree(d_d), cudaFree(d_aux);
}

int main() {
    cublasHandle_t handle;
    cublasCreate(&handle);
    typed<float>(handle, "float", CUDA_R_32F, CUBLAS_COMPUTE_32F, 1e-5f);
    typed<float>(handle, "float by TF32", CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, 1e-2f);
    typed<double>(handle, "double", CUDA_R_64F, CUBLAS_COMPUTE_64F, 1e-5f);
    typed<__half>(handle, "half", CUDA_R_16F, CUBLAS_COMPUTE_32F, 1e-3f);
    typed<__half>(handle, "half sums", CUDA_R_16F, CUBLAS_COMPUTE_16F, 1e-2f);
    typed<__nv_bfloat16>(handle, "bfloat16", CUDA_R_16BF, CUBLAS_COMPUTE_32F, 8e-3f);
    cublasDestroy(handle);
    light<float>("float, light", CUDA_R_32F, 1e-4f);
    light<__nv_bfloat16>("bfloat16, light", CUDA_R_16BF, 1e-2f);
    float* values = on_device<float>({1, 2});
    scale<<<1, 2>>>(values, 3);
    cudaFree(values);
    std::printf("%d products, %d wrong\n", products, wrong);
    return wrong != 0;
}
