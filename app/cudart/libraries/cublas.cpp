// A part of cuBLAS on the CPU machine, in single and double precision: vectors, gemv, ger, gemm. The system's
// BLAS computes, on copies that CUDA's runtime makes; what else cuBLAS has returns
// CUBLAS_STATUS_NOT_SUPPORTED.
#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "cudart/libraries/blas.h"

#define LANESCOPE_CUBLAS extern "C" __attribute__((visibility("default")))

// The runtime's library has it: notes a call of another library, and once a sentence about it.
extern "C" void __cudaLanescopeLibraryCall(const char* function, const char* sentence);

struct cublasContext {
    cudaStream_t stream = nullptr;
    cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
    cublasMath_t math = CUBLAS_DEFAULT_MATH;
    cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
};

namespace lanescope::cudart {

namespace {

// A matrix of the device by columns, `stride` elements apart; a vector is a matrix of one row.
template <class T>
struct Place {
    T* at;
    int rows, columns, stride;

    bool fits() const { return stride >= std::max(1, rows); }
    std::size_t count() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }
};

template <class T>
Place<T> vector_at(T* at, int count, int increment) {
    return increment == 1 ? Place<T>{at, count, 1, std::max(1, count)} : Place<T>{at, 1, count, increment};
}

// One call: copies what it reads, and what it writes back. After an error the rest does nothing.
class Call {
  public:
    Call(cublasContext* handle, const char* function) : handle_(handle), function_(function) {
        cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
        if (handle == nullptr)
            status_ = CUBLAS_STATUS_NOT_INITIALIZED;
        else if (cudaStreamIsCapturing(handle->stream, &capture) != cudaSuccess)
            status_ = CUBLAS_STATUS_EXECUTION_FAILED;
        else if (capture != cudaStreamCaptureStatusNone)
            refuse("it cannot be captured into a graph");
        else if (blas_function("sgemm") == nullptr)
            refuse("it needs a BLAS library of the system, such as libopenblas0 or libblas3");
        else
            __cudaLanescopeLibraryCall(function, "functions of cuBLAS run on the host, by the system's BLAS");
    }

    bool fine() const { return status_ == CUBLAS_STATUS_SUCCESS; }
    cublasStatus_t status() const { return status_; }
    void require(bool condition) {
        if (fine() && !condition) status_ = CUBLAS_STATUS_INVALID_VALUE;
    }
    void refuse(const char* why) {
        if (!fine()) return;
        status_ = CUBLAS_STATUS_NOT_SUPPORTED;
        __cudaLanescopeLibraryCall(function_, (std::string(function_) + " is not supported: " + why).c_str());
    }
    // Backward and broadcast vectors.
    void require_forward(int increment) {
        if (increment < 1) refuse("increments below 1 are not there");
    }

    template <class T>
    std::vector<T> read(const Place<const T>& place) {
        std::vector<T> made(place.count());
        copy(made.data(), static_cast<std::size_t>(place.rows) * sizeof(T), place.at,
             static_cast<std::size_t>(place.stride) * sizeof(T), place.rows, place.columns, sizeof(T));
        return made;
    }
    template <class T>
    void write(const Place<T>& place, const std::vector<T>& values) {
        copy(place.at, static_cast<std::size_t>(place.stride) * sizeof(T), values.data(),
             static_cast<std::size_t>(place.rows) * sizeof(T), place.rows, place.columns, sizeof(T));
    }
    template <class T>
    T scalar(const T* at) {
        T value{};
        require(at != nullptr);
        if (!fine()) return value;
        if (handle_->pointers == CUBLAS_POINTER_MODE_HOST) return *at;
        copy(&value, sizeof value, at, sizeof value, 1, 1, sizeof value);
        return value;
    }
    template <class T>
    void result(T* to, T value) {
        require(to != nullptr);
        if (!fine()) return;
        if (handle_->pointers == CUBLAS_POINTER_MODE_HOST)
            *to = value;
        else
            copy(to, sizeof value, &value, sizeof value, 1, 1, sizeof value);
    }

  private:
    void copy(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, int rows, int columns,
              std::size_t element) {
        require(to != nullptr && from != nullptr);
        if (!fine() || rows <= 0 || columns <= 0) return;
        std::size_t width = static_cast<std::size_t>(rows) * element,
                    height = static_cast<std::size_t>(columns);
        if (to_pitch == width && from_pitch == width) {
            width *= height;
            to_pitch = from_pitch = width;
            height = 1;
        }
        if (cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, cudaMemcpyDefault,
                              handle_->stream) != cudaSuccess)
            status_ = CUBLAS_STATUS_EXECUTION_FAILED;
    }

    cublasContext* handle_;
    const char* function_;
    cublasStatus_t status_ = CUBLAS_STATUS_SUCCESS;
};

// A letter of Fortran's; 0: none.
char letter_of(cublasOperation_t operation) {
    return operation == CUBLAS_OP_N ? 'N' : operation == CUBLAS_OP_T || operation == CUBLAS_OP_C ? 'T' : '\0';
}

const int one = 1;

template <class T, class Compute>
cublasStatus_t on_two(cublasHandle_t handle, const char* function, int n, T* x, int x_step, T* y, int y_step,
                      bool writes_x, const Compute& compute) {
    Call call(handle, function);
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
    Call call(handle, function);
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
    Call call(handle, function);
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
    Call call(handle, function);
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

template <class T>
struct Product {
    cublasOperation_t a_op, b_op;
    int m, n, k;
    const T* alpha;
    const T* a;
    int lda;
    const T* b;
    int ldb;
    const T* beta;
    T* c;
    int ldc;
};

template <class T>
void multiply(Call& call, const char* name, const Product<T>& of) {
    const char a_letter = letter_of(of.a_op), b_letter = letter_of(of.b_op);
    const Place<const T> a =
        a_letter == 'N' ? Place<const T>{of.a, of.m, of.k, of.lda} : Place<const T>{of.a, of.k, of.m, of.lda};
    const Place<const T> b =
        b_letter == 'N' ? Place<const T>{of.b, of.k, of.n, of.ldb} : Place<const T>{of.b, of.n, of.k, of.ldb};
    call.require(of.m >= 0 && of.n >= 0 && of.k >= 0 && a_letter != 0 && b_letter != 0 && a.fits() &&
                 b.fits() && of.ldc >= std::max(1, of.m));
    if (of.m == 0 || of.n == 0) return;
    const T by = call.scalar(of.alpha), old = call.scalar(of.beta);
    if (!call.fine()) return;
    std::vector<T> left, right;
    if (of.k > 0) left = call.read(a), right = call.read(b);
    std::vector<T> product(static_cast<std::size_t>(of.m) * static_cast<std::size_t>(of.n));
    if (old != T{0}) product = call.read(Place<const T>{of.c, of.m, of.n, of.ldc});
    if (!call.fine()) return;
    const int a_stride = std::max(1, a.rows), b_stride = std::max(1, b.rows);
    blas<void(const char*, const char*, const int*, const int*, const int*, const T*, const T*, const int*,
              const T*, const int*, const T*, T*, const int*)>(name)(
        &a_letter, &b_letter, &of.m, &of.n, &of.k, &by, left.data(), &a_stride, right.data(), &b_stride, &old,
        product.data(), &of.m);
    call.write(Place<T>{of.c, of.m, of.n, of.ldc}, product);
}

template <class T>
cublasStatus_t gemm(cublasHandle_t handle, const char* function, const char* name, Product<T> of,
                    long long a_step = 0, long long b_step = 0, long long c_step = 0, int count = 1) {
    Call call(handle, function);
    call.require(count >= 0);
    for (int i = 0; i < count && call.fine(); ++i) {
        multiply(call, name, of);
        of.a += a_step;
        of.b += b_step;
        of.c += c_step;
    }
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
    return with(handle, true, [&] { handle->stream = stream; });
}

LANESCOPE_CUBLAS cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
    return with(handle, stream != nullptr, [&] { *stream = handle->stream; });
}

LANESCOPE_CUBLAS cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
    return with(handle, mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE,
                [&] { handle->pointers = mode; });
}

LANESCOPE_CUBLAS cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
    return with(handle, mode != nullptr, [&] { *mode = handle->pointers; });
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
        Call call(handle, "cublas" #S "copy");                                                               \
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
        Call call(handle, "cublas" #S "dot");                                                                \
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
        return gemm<T>(handle, "cublas" #S "gemm", #s "gemm",                                                \
                       {a_op, b_op, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc});                          \
    }                                                                                                        \
    LANESCOPE_CUBLAS cublasStatus_t cublas##S##gemmStridedBatched(                                           \
        cublasHandle_t handle, cublasOperation_t a_op, cublasOperation_t b_op, int m, int n, int k,          \
        const T* alpha, const T* a, int lda, long long a_step, const T* b, int ldb, long long b_step,        \
        const T* beta, T* c, int ldc, long long c_step, int count) {                                         \
        return gemm<T>(handle, "cublas" #S "gemmStridedBatched", #s "gemm",                                  \
                       {a_op, b_op, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc}, a_step, b_step, c_step,   \
                       count);                                                                               \
    }
LANESCOPE_PRECISION(S, s, float)
LANESCOPE_PRECISION(D, d, double)
