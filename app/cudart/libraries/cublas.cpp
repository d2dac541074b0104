// A part of cuBLAS on the CPU machine: vectors, gemv and ger in single and double precision, products of
// matrices also in half precision and bfloat16. The system's BLAS computes, on copies that CUDA's runtime
// makes; what else cuBLAS has returns CUBLAS_STATUS_NOT_SUPPORTED.
#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "cudart/libraries/blas_call.h"
#include "cudart/libraries/product.h"

#define LANESCOPE_CUBLAS extern "C" __attribute__((visibility("default")))

// The runtime's library has it: notes a call of another library, and once a sentence about it.
extern "C" void __cudaLanescopeLibraryCall(const char* function, const char* sentence);
extern "C" void __cudaLanescopeUnsupported(const char* function, const char* sentence);  // refuses it

struct cublasContext {
    lanescope::cudart::CallContext place;
    cublasMath_t math = CUBLAS_DEFAULT_MATH;
    cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
};

namespace lanescope::cudart {

namespace {

const CallContext* context_of(cublasHandle_t handle) {
    return handle == nullptr ? nullptr : &handle->place;
}

const int one = 1;

template <class T>
constexpr cudaDataType data_type = CUDA_R_32F;
template <>
constexpr cudaDataType data_type<double> = CUDA_R_64F;
template <>
constexpr cudaDataType data_type<__half> = CUDA_R_16F;

template <class T, class Compute>
cublasStatus_t on_two(cublasHandle_t handle, const char* function, int n, T* x, int x_step, T* y, int y_step,
                      bool writes_x, const Compute& compute) {
    Call call(context_of(handle), function);
    call.require(n >= 0);
    if (n == 0) return call.status();
    call.require_forward(x_step);
    call.require_forward(y_step);
    if (!call.fine()) return call.status();
    std::vector<T> a = call.read(vector_at<const T>(x, n, x_step)),
                   b = call.read(vector_at<const T>(y, n, y_step));
    compute(call, a.data(), b.data());
    if (writes_x) call.write(vector_at(x, n, x_step), a);
    call.write(vector_at(y, n, y_step), b);
    return call.status();
}

template <class T, class Compute>
cublasStatus_t on_one(cublasHandle_t handle, const char* function, int n, const T* x, int x_step, T* writes,
                      const Compute& compute) {
    Call call(context_of(handle), function);
    call.require(n >= 0);
    if (n > 0) call.require_forward(x_step);
    std::vector<T> a;
    if (call.fine() && n > 0) a = call.read(vector_at<const T>(x, n, x_step));
    if (call.fine()) compute(call, a.data());
    if (writes != nullptr && call.fine() && n > 0) call.write(vector_at(writes, n, x_step), a);
    return call.status();
}

template <class T>
cublasStatus_t gemv(cublasHandle_t handle, const char* function, const char* name, cublasOperation_t op,
                    int m, int n, const T* alpha, const T* a, int lda, const T* x, int x_step, const T* beta,
                    T* y, int y_step) {
    Call call(context_of(handle), function);
    const char letter = letter_of(op);
    call.require(m >= 0 && n >= 0 && letter != 0 && lda >= std::max(1, m));
    if (m == 0 || n == 0) return call.status();
    call.require_forward(x_step);
    call.require_forward(y_step);
    const int x_count = letter == 'N' ? n : m, y_count = letter == 'N' ? m : n;
    const T by = call.scalar(alpha), old = call.scalar(beta);
    if (!call.fine()) return call.status();
    const std::vector<T> matrix = call.read(Place<const T>{a, m, n, lda}),
                         vector = call.read(vector_at(x, x_count, x_step));
    std::vector<T> sum(static_cast<std::size_t>(y_count));
    if (old != T{0}) sum = call.read(vector_at<const T>(y, y_count, y_step));
    if (!call.fine()) return call.status();
    blas<void(const char*, const int*, const int*, const T*, const T*, const int*, const T*, const int*,
              const T*, T*, const int*)>(name)(&letter, &m, &n, &by, matrix.data(), &m, vector.data(), &one,
                                               &old, sum.data(), &one);
    call.write(vector_at(y, y_count, y_step), sum);
    return call.status();
}

template <class T>
cublasStatus_t ger(cublasHandle_t handle, const char* function, const char* name, int m, int n,
                   const T* alpha, const T* x, int x_step, const T* y, int y_step, T* a, int lda) {
    Call call(context_of(handle), function);
    call.require(m >= 0 && n >= 0 && lda >= std::max(1, m));
    if (m == 0 || n == 0) return call.status();
    call.require_forward(x_step);
    call.require_forward(y_step);
    const T by = call.scalar(alpha);
    if (!call.fine()) return call.status();
    const std::vector<T> left = call.read(vector_at(x, m, x_step)),
                         right = call.read(vector_at(y, n, y_step));
    std::vector<T> matrix = call.read(Place<const T>{a, m, n, lda});
    if (!call.fine()) return call.status();
    blas<void(const int*, const int*, const T*, const T*, const int*, const T*, const int*, T*, const int*)>(
        name)(&m, &n, &by, left.data(), &one, right.data(), &one, matrix.data(), &m);
    call.write(Place<T>{a, m, n, lda}, matrix);
    return call.status();
}

cublasStatus_t copied(cudaError_t error) {
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

template <class Set>
cublasStatus_t with(cublasHandle_t handle, bool valid, const Set& set) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!valid) return CUBLAS_STATUS_INVALID_VALUE;
    set();
    return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

}  // namespace lanescope::cudart

using namespace lanescope::cudart;

// --- handles

LANESCOPE_CUBLAS cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
    if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *handle = new cublasContext;
    return CUBLAS_STATUS_SUCCESS;
}

LANESCOPE_CUBLAS cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
    return with(handle, true, [&] { delete handle; });
}

LANESCOPE_CUBLAS cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
    return with(handle, true, [&] { handle->place.stream = stream; });
}

LANESCOPE_CUBLAS cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
    return with(handle, stream != nullptr, [&] { *stream = handle->place.stream; });
}

LANESCOPE_CUBLAS cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
    return with(handle, mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE,
                [&] { handle->place.scalars_on_device = mode == CUBLAS_POINTER_MODE_DEVICE; });
}

LANESCOPE_CUBLAS cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
    return with(handle, mode != nullptr, [&] {
        *mode = handle->place.scalars_on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST;
    });
}

LANESCOPE_CUBLAS cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
    return with(handle, true, [&] { handle->math = mode; });
}

LANESCOPE_CUBLAS cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
    return with(handle, mode != nullptr, [&] { *mode = handle->math; });
}

LANESCOPE_CUBLAS cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
    return with(handle, true, [&] { handle->atomics = mode; });
}

// Products need no memory of the device.
LANESCOPE_CUBLAS cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void*, size_t) {
    return with(handle, true, [] {});
}

LANESCOPE_CUBLAS cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* version) {
    if (version == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}

LANESCOPE_CUBLAS const char* cublasGetStatusName(cublasStatus_t status) {
    switch (status) {
#define LANESCOPE_STATUS(name) \
    case name:                 \
        return #name;
        LANESCOPE_STATUS(CUBLAS_STATUS_SUCCESS)
        LANESCOPE_STATUS(CUBLAS_STATUS_NOT_INITIALIZED)
        LANESCOPE_STATUS(CUBLAS_STATUS_ALLOC_FAILED)
        LANESCOPE_STATUS(CUBLAS_STATUS_INVALID_VALUE)
        LANESCOPE_STATUS(CUBLAS_STATUS_ARCH_MISMATCH)
        LANESCOPE_STATUS(CUBLAS_STATUS_MAPPING_ERROR)
        LANESCOPE_STATUS(CUBLAS_STATUS_EXECUTION_FAILED)
        LANESCOPE_STATUS(CUBLAS_STATUS_INTERNAL_ERROR)
        LANESCOPE_STATUS(CUBLAS_STATUS_NOT_SUPPORTED)
        LANESCOPE_STATUS(CUBLAS_STATUS_LICENSE_ERROR)
#undef LANESCOPE_STATUS
    }
    return "unknown status";
}

LANESCOPE_CUBLAS const char* cublasGetStatusString(cublasStatus_t status) {
    return cublasGetStatusName(status);
}

// --- copies between host and device

LANESCOPE_CUBLAS cublasStatus_t cublasSetVector(int n, int size, const void* from, int from_step, void* to,
                                                int to_step) {
    if (n < 0 || size <= 0 || from_step <= 0 || to_step <= 0) return CUBLAS_STATUS_INVALID_VALUE;
    const auto bytes = static_cast<std::size_t>(size);
    return copied(cudaMemcpy2D(to, static_cast<std::size_t>(to_step) * bytes, from,
                               static_cast<std::size_t>(from_step) * bytes, bytes,
                               static_cast<std::size_t>(n), cudaMemcpyDefault));
}

LANESCOPE_CUBLAS cublasStatus_t cublasGetVector(int n, int size, const void* from, int from_step, void* to,
                                                int to_step) {
    return cublasSetVector(n, size, from, from_step, to, to_step);
}

LANESCOPE_CUBLAS cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void* from,
                                                int from_stride, void* to, int to_stride) {
    if (rows < 0 || columns < 0 || size <= 0 || from_stride < std::max(1, rows) ||
        to_stride < std::max(1, rows))
        return CUBLAS_STATUS_INVALID_VALUE;
    const auto bytes = static_cast<std::size_t>(size);
    return copied(cudaMemcpy2D(
        to, static_cast<std::size_t>(to_stride) * bytes, from, static_cast<std::size_t>(from_stride) * bytes,
        static_cast<std::size_t>(rows) * bytes, static_cast<std::size_t>(columns), cudaMemcpyDefault));
}

LANESCOPE_CUBLAS cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void* from,
                                                int from_stride, void* to, int to_stride) {
    return cublasSetMatrix(rows, columns, size, from, from_stride, to, to_stride);
}

// A product of matrices whose elements have the type T, from the arguments of a function.
#define LANESCOPE_PRODUCT(name, T)                \
    Call call(context_of(handle), name);          \
    constexpr cudaDataType type = data_type<T>;   \
    Product of{a_op, b_op, m, n, k, type, alpha}; \
    of.a = {a, type, lda}, of.b = {b, type, ldb}; \
    of.beta = beta, of.c = of.d = {c, type, ldc};

// --- vectors and matrices: S for float, D for double

#define LANESCOPE_PRECISION(S, s, T)                                                                         \
    LANESCOPE_CUBLAS cublasStatus_t cublas##S##axpy_v2(cublasHandle_t handle, int n, const T* alpha,         \
                                                       const T* x, int x_step, T* y, int y_step) {           \
        return on_two<T>(handle, "cublas" #S "axpy", n, const_cast<T*>(x), x_step, y, y_step, false,         \
                         [&](Call& call, const T* a, T* b) {                                                 \
                             const T by = call.scalar(alpha);                                                \
                             blas<void(const int*, const T*, const T*, const int*, T*, const int*)>(         \
                                 #s "axpy")(&n, &by, a, &one, b, &one);                                      \
                         });                                                                                 \
    }                                                                                                        \
    LANESCOPE_CUBLAS cublasStatus_t cublas##S##copy_v2(cublasHandle_t handle, int n, const T* x, int x_step, \
                                                       T* y, int y_step) {                                   \
        Call call(context_of(handle), "cublas" #S "copy");                                                   \
        call.require(n >= 0);                                                                                \
        call.require_forward(x_step);                                                                        \
        call.require_forward(y_step);                                                                        \
        if (call.fine() && n > 0) call.write(vector_at(y, n, y_step), call.read(vector_at(x, n, x_step)));   \
        return call.status();                                                                                \
    }                                                                                                        \
    LANESCOPE_CUBLAS cublasStatus_t cublas##S##swap_v2(cublasHandle_t handle, int n, T* x, int x_step, T* y, \
                                                       int y_step) {                                         \
        return on_two<T>(handle, "cublas" #S "swap", n, x, x_step, y, y_step, true,                          \
                         [&](Call&, T* a, T* b) { std::swap_ranges(a, a + n, b); });                         \
    }                                                                                                        \
    LANESCOPE_CUBLAS cublasStatus_t cublas##S##dot_v2(cublasHandle_t handle, int n, const T* x, int x_step,  \
                                                      const T* y, int y_step, T* result) {                   \
        Call call(context_of(handle), "cublas" #S "dot");                                                    \
        call.require(n >= 0);                                                                                \
        call.require_forward(x_step);                                                                        \
        call.require_forward(y_step);                                                                        \
        if (!call.fine()) return call.status();                                                              \
        std::vector<T> a, b;                                                                                 \
        if (n > 0) a = call.read(vector_at(x, n, x_step)), b = call.read(vector_at(y, n, y_step));           \
        call.result(result, blas<T(const int*, const T*, const int*, const T*, const int*)>(#s "dot")(       \
                                &n, a.data(), &one, b.data(), &one));                                        \
        return call.status();                                                                                \
    }                                                                                                        \
    LANESCOPE_CUBLAS cublasStatus_t cublas##S##scal_v2(cublasHandle_t handle, int n, const T* alpha, T* x,   \
                                                       int x_step) {                                         \
        return on_one<T>(handle, "cublas" #S "scal", n, x, x_step, x, [&](Call& call, T* a) {                \
            const T by = call.scalar(alpha);                                                                 \
            blas<void(const int*, const T*, T*, const int*)>(#s "scal")(&n, &by, a, &one);                   \
        });                                                                                                  \
    }                                                                                                        \
    LANESCOPE_CUBLAS cublasStatus_t cublas##S##nrm2_v2(cublasHandle_t handle, int n, const T* x, int x_step, \
                                                       T* result) {                                          \
        return on_one<T>(handle, "cublas" #S "nrm2", n, x, x_step, nullptr, [&](Call& call, T* a) {          \
            call.result(result, blas<T(const int*, const T*, const int*)>(#s "nrm2")(&n, a, &one));          \
        });                                                                                                  \
    }                                                                                                        \
    LANESCOPE_CUBLAS cublasStatus_t cublas##S##asum_v2(cublasHandle_t handle, int n, const T* x, int x_step, \
                                                       T* result) {                                          \
        return on_one<T>(handle, "cublas" #S "asum", n, x, x_step, nullptr, [&](Call& call, T* a) {          \
            call.result(result, blas<T(const int*, const T*, const int*)>(#s "asum")(&n, a, &one));          \
        });                                                                                                  \
    }                                                                                                        \
    LANESCOPE_CUBLAS cublasStatus_t cublasI##s##amax_v2(cublasHandle_t handle, int n, const T* x,            \
                                                        int x_step, int* result) {                           \
        return on_one<T>(handle, "cublasI" #s "amax", n, x, x_step, nullptr, [&](Call& call, T* a) {         \
            call.result(result, blas<int(const int*, const T*, const int*)>("i" #s "amax")(&n, a, &one));    \
        });                                                                                                  \
    }                                                                                                        \
    LANESCOPE_CUBLAS cublasStatus_t cublas##S##gemv_v2(                                                      \
        cublasHandle_t handle, cublasOperation_t op, int m, int n, const T* alpha, const T* a, int lda,      \
        const T* x, int x_step, const T* beta, T* y, int y_step) {                                           \
        return gemv<T>(handle, "cublas" #S "gemv", #s "gemv", op, m, n, alpha, a, lda, x, x_step, beta, y,   \
                       y_step);                                                                              \
    }                                                                                                        \
    LANESCOPE_CUBLAS cublasStatus_t cublas##S##ger_v2(cublasHandle_t handle, int m, int n, const T* alpha,   \
                                                      const T* x, int x_step, const T* y, int y_step, T* a,  \
                                                      int lda) {                                             \
        return ger<T>(handle, "cublas" #S "ger", #s "ger", m, n, alpha, x, x_step, y, y_step, a, lda);       \
    }                                                                                                        \
    LANESCOPE_CUBLAS cublasStatus_t cublas##S##gemm_v2(                                                      \
        cublasHandle_t handle, cublasOperation_t a_op, cublasOperation_t b_op, int m, int n, int k,          \
        const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {            \
        LANESCOPE_PRODUCT("cublas" #S "gemm", T)                                                             \
        return multiply(call, of);                                                                           \
    }                                                                                                        \
    LANESCOPE_CUBLAS cublasStatus_t cublas##S##gemmStridedBatched(                                           \
        cublasHandle_t handle, cublasOperation_t a_op, cublasOperation_t b_op, int m, int n, int k,          \
        const T* alpha, const T* a, int lda, long long a_step, const T* b, int ldb, long long b_step,        \
        const T* beta, T* c, int ldc, long long c_step, int count) {                                         \
        LANESCOPE_PRODUCT("cublas" #S "gemmStridedBatched", T)                                               \
        of.a.step = a_step, of.b.step = b_step, of.c.step = of.d.step = c_step, of.count = count;            \
        return multiply(call, of);                                                                           \
    }                                                                                                        \
    LANESCOPE_CUBLAS cublasStatus_t cublas##S##gemmBatched(                                                  \
        cublasHandle_t handle, cublasOperation_t a_op, cublasOperation_t b_op, int m, int n, int k,          \
        const T* alpha, const T* const as[], int lda, const T* const bs[], int ldb, const T* beta,           \
        T* const cs[], int ldc, int count) {                                                                 \
        const T *a = nullptr, *b = nullptr, *c = nullptr;                                                    \
        LANESCOPE_PRODUCT("cublas" #S "gemmBatched", T)                                                      \
        of.count = count;                                                                                    \
        return multiply_each(call, of, reinterpret_cast<const void* const*>(as),                             \
                             reinterpret_cast<const void* const*>(bs), reinterpret_cast<void* const*>(cs));  \
    }
LANESCOPE_PRECISION(S, s, float)
LANESCOPE_PRECISION(D, d, double)

LANESCOPE_CUBLAS cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t a_op,
                                            cublasOperation_t b_op, int m, int n, int k, const __half* alpha,
                                            const __half* a, int lda, const __half* b, int ldb,
                                            const __half* beta, __half* c, int ldc) {
    LANESCOPE_PRODUCT("cublasHgemm", __half)
    return multiply(call, of);
}

LANESCOPE_CUBLAS cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t a_op,
                                                          cublasOperation_t b_op, int m, int n, int k,
                                                          const __half* alpha, const __half* a, int lda,
                                                          long long a_step, const __half* b, int ldb,
                                                          long long b_step, const __half* beta, __half* c,
                                                          int ldc, long long c_step, int count) {
    LANESCOPE_PRODUCT("cublasHgemmStridedBatched", __half)
    of.a.step = a_step, of.b.step = b_step, of.c.step = of.d.step = c_step, of.count = count;
    return multiply(call, of);
}

// --- products whose types are arguments

namespace {

// The type of alpha and beta. Sums are at least as exact as the type asks for.
cudaDataType scalars_of(cublasComputeType_t type) {
    switch (type) {
        case CUBLAS_COMPUTE_16F:
        case CUBLAS_COMPUTE_16F_PEDANTIC:
            return CUDA_R_16F;
        case CUBLAS_COMPUTE_64F:
        case CUBLAS_COMPUTE_64F_PEDANTIC:
            return CUDA_R_64F;
        case CUBLAS_COMPUTE_32I:
        case CUBLAS_COMPUTE_32I_PEDANTIC:
            return CUDA_R_32I;
        default:
            return CUDA_R_32F;
    }
}

}  // namespace

LANESCOPE_CUBLAS cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t a_op,
                                              cublasOperation_t b_op, int m, int n, int k, const float* alpha,
                                              const void* a, cudaDataType a_type, int lda, const void* b,
                                              cudaDataType b_type, int ldb, const float* beta, void* c,
                                              cudaDataType c_type, int ldc) {
    Call call(context_of(handle), "cublasSgemmEx");
    Product of{a_op, b_op, m, n, k, CUDA_R_32F, alpha, {a, a_type, lda}, {b, b_type, ldb}, beta};
    of.c = of.d = {c, c_type, ldc};
    return multiply(call, of);
}

LANESCOPE_CUBLAS cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t a_op,
                                             cublasOperation_t b_op, int m, int n, int k, const void* alpha,
                                             const void* a, cudaDataType a_type, int lda, const void* b,
                                             cudaDataType b_type, int ldb, const void* beta, void* c,
                                             cudaDataType c_type, int ldc, cublasComputeType_t compute,
                                             cublasGemmAlgo_t) {
    Call call(context_of(handle), "cublasGemmEx");
    Product of{a_op, b_op, m, n, k, scalars_of(compute), alpha, {a, a_type, lda}, {b, b_type, ldb}, beta};
    of.c = of.d = {c, c_type, ldc};
    return multiply(call, of);
}

LANESCOPE_CUBLAS cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t a_op, cublasOperation_t b_op, int m, int n, int k,
    const void* alpha, const void* a, cudaDataType a_type, int lda, long long a_step, const void* b,
    cudaDataType b_type, int ldb, long long b_step, const void* beta, void* c, cudaDataType c_type, int ldc,
    long long c_step, int count, cublasComputeType_t compute, cublasGemmAlgo_t) {
    Call call(context_of(handle), "cublasGemmStridedBatchedEx");
    Product of{
        a_op, b_op, m, n, k, scalars_of(compute), alpha, {a, a_type, lda, a_step}, {b, b_type, ldb, b_step},
        beta};
    of.c = of.d = {c, c_type, ldc, c_step};
    of.count = count;
    return multiply(call, of);
}

LANESCOPE_CUBLAS cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t a_op,
                                                    cublasOperation_t b_op, int m, int n, int k,
                                                    const void* alpha, const void* const as[],
                                                    cudaDataType a_type, int lda, const void* const bs[],
                                                    cudaDataType b_type, int ldb, const void* beta,
                                                    void* const cs[], cudaDataType c_type, int ldc, int count,
                                                    cublasComputeType_t compute, cublasGemmAlgo_t) {
    Call call(context_of(handle), "cublasGemmBatchedEx");
    Product of{
        a_op, b_op, m, n, k, scalars_of(compute), alpha, {nullptr, a_type, lda}, {nullptr, b_type, ldb},
        beta};
    of.c = of.d = {nullptr, c_type, ldc};
    of.count = count;
    return multiply_each(call, of, as, bs, cs);
}
