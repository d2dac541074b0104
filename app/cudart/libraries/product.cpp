#include "cudart/libraries/product.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace lanescope::cudart {

namespace {

// 0: not one of the types that are there.
std::size_t size_of(cudaDataType type) {
    switch (type) {
        case CUDA_R_16F:
        case CUDA_R_16BF:
            return 2;
        case CUDA_R_32F:
            return 4;
        case CUDA_R_64F:
            return 8;
        default:
            return 0;
    }
}

const void* moved(const Matrix& matrix, long long number) {
    const long long bytes = number * matrix.step * static_cast<long long>(size_of(matrix.type));
    return static_cast<const std::byte*>(matrix.at) + bytes;
}

// Calls `as` with a value of the C++ type that stands for `type`.
template <class As>
void with_type(cudaDataType type, As as) {
    switch (type) {
        case CUDA_R_16F:
            return as(__half{});
        case CUDA_R_16BF:
            return as(__nv_bfloat16{});
        case CUDA_R_32F:
            return as(float{});
        default:
            return as(double{});
    }
}

template <class T, class Sum>
void convert(const std::vector<T>& from, std::vector<Sum>& to) {
    std::transform(from.begin(), from.end(), to.begin(), [](T value) { return static_cast<Sum>(value); });
}

// `rows` × `columns` elements as sums.
template <class Sum>
std::vector<Sum> read(Call& call, const void* at, const Matrix& matrix, int rows, int columns) {
    std::vector<Sum> made(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
    const auto as = [&]<class T>(T) {
        convert(call.read(Place<const T>{static_cast<const T*>(at), rows, columns,
                                         static_cast<int>(matrix.stride)}),
                made);
    };
    with_type(matrix.type, as);
    return made;
}

template <class Sum>
void write(Call& call, const void* at, const Matrix& matrix, int rows, int columns,
           const std::vector<Sum>& values) {
    const auto as = [&]<class T>(T) {
        std::vector<T> converted(values.size());
        std::transform(values.begin(), values.end(), converted.begin(), [](Sum value) {
            if constexpr (sizeof(T) == 2)
                return T(static_cast<float>(value));  // rounds to nearest
            else
                return static_cast<T>(value);
        });
        call.write(
            Place<T>{static_cast<T*>(const_cast<void*>(at)), rows, columns, static_cast<int>(matrix.stride)},
            converted);
    };
    with_type(matrix.type, as);
}

template <class Sum>
Sum scalar(Call& call, cudaDataType type, const void* at) {
    if (type == CUDA_R_64F) return static_cast<Sum>(call.scalar(static_cast<const double*>(at)));
    if (type == CUDA_R_16F)
        return static_cast<Sum>(__half2float(call.scalar(static_cast<const __half*>(at))));
    return static_cast<Sum>(call.scalar(static_cast<const float*>(at)));
}

// The approximation by tanh that cuBLASLt documents.
constexpr double gelu_scale = 0.7978845608028654, gelu_cubic = 0.044715;  // sqrt(2 / pi)

template <class Sum>
Sum gelu(Sum x) {
    return Sum(0.5) * x * (1 + std::tanh(Sum(gelu_scale) * (x + Sum(gelu_cubic) * x * x * x)));
}

template <class Sum>
Sum gelu_gradient(Sum x) {
    const Sum t = std::tanh(Sum(gelu_scale) * (x + Sum(gelu_cubic) * x * x * x));
    return Sum(0.5) * (1 + t) +
           Sum(0.5) * x * (1 - t * t) * Sum(gelu_scale) * (1 + 3 * Sum(gelu_cubic) * x * x);
}

template <class Sum>
void finish(Call& call, const Epilogue& epilogue, long long number, int m, int n, std::vector<Sum>& sums) {
    if (epilogue.bias) {
        const std::vector<Sum> bias = read<Sum>(call, moved(*epilogue.bias, number), *epilogue.bias, m, 1);
        for (std::size_t i = 0; i < sums.size(); ++i)
            sums[i] += bias[i % static_cast<std::size_t>(m)];
    }
    std::vector<Sum> before;
    if (epilogue.function == Epilogue::Function::gelu_gradient)
        before = read<Sum>(call, moved(*epilogue.aux, number), *epilogue.aux, m, n);
    else if (epilogue.aux)
        write(call, moved(*epilogue.aux, number), *epilogue.aux, m, n, sums);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (epilogue.function == Epilogue::Function::relu) sums[i] = std::max(sums[i], Sum(0));
        if (epilogue.function == Epilogue::Function::gelu) sums[i] = gelu(sums[i]);
        if (epilogue.function == Epilogue::Function::gelu_gradient) sums[i] *= gelu_gradient(before[i]);
    }
}

// One product of the batch.
template <class Sum>
void multiply_one(Call& call, const Product& of, long long number, Sum by, Sum old) {
    const char a_letter = letter_of(of.a_op), b_letter = letter_of(of.b_op);
    const int m = static_cast<int>(of.m), n = static_cast<int>(of.n), k = static_cast<int>(of.k);
    const int a_rows = a_letter == 'N' ? m : k, b_rows = b_letter == 'N' ? k : n;
    std::vector<Sum> left, right, sums(static_cast<std::size_t>(m) * static_cast<std::size_t>(n));
    if (k > 0) {
        left = read<Sum>(call, moved(of.a, number), of.a, a_rows, a_letter == 'N' ? k : m);
        right = read<Sum>(call, moved(of.b, number), of.b, b_rows, b_letter == 'N' ? n : k);
    }
    if (old != Sum(0)) sums = read<Sum>(call, moved(of.c, number), of.c, m, n);
    if (!call.fine()) return;
    const int a_stride = std::max(1, a_rows), b_stride = std::max(1, b_rows);
    blas<void(const char*, const char*, const int*, const int*, const int*, const Sum*, const Sum*,
              const int*, const Sum*, const int*, const Sum*, Sum*, const int*)>(
        sizeof(Sum) == 8 ? "dgemm" : "sgemm")(&a_letter, &b_letter, &m, &n, &k, &by, left.data(), &a_stride,
                                              right.data(), &b_stride, &old, sums.data(), &m);
    finish(call, of.epilogue, number, m, n, sums);
    write(call, moved(of.d, number), of.d, m, n, sums);
}

template <class Sum>
cublasStatus_t multiply_all(Call& call, const Product& of) {
    const Sum by = scalar<Sum>(call, of.scalars, of.alpha), old = scalar<Sum>(call, of.scalars, of.beta);
    for (long long i = 0; i < of.count && call.fine(); ++i)
        multiply_one(call, of, i, by, old);
    return call.status();
}

// Whether the sizes are as cuBLAS wants them.
bool sound(const Product& of) {
    constexpr long long most = std::numeric_limits<int>::max();
    const char a_letter = letter_of(of.a_op), b_letter = letter_of(of.b_op);
    const auto fits = [](const Matrix& matrix, long long rows) {
        return matrix.stride >= std::max(1ll, rows) && matrix.stride <= most;
    };
    return of.m >= 0 && of.n >= 0 && of.k >= 0 && of.m <= most && of.n <= most && of.k <= most &&
           of.count >= 0 && a_letter != 0 && b_letter != 0 && fits(of.a, a_letter == 'N' ? of.m : of.k) &&
           fits(of.b, b_letter == 'N' ? of.k : of.n) && fits(of.c, of.m) && fits(of.d, of.m);
}

}  // namespace

char letter_of(cublasOperation_t operation) {
    return operation == CUBLAS_OP_N ? 'N' : operation == CUBLAS_OP_T || operation == CUBLAS_OP_C ? 'T' : '\0';
}

std::string why_no_product(const Product& of) {
    std::vector<cudaDataType> types{of.a.type, of.b.type, of.c.type, of.d.type, of.scalars};
    if (of.epilogue.bias) types.push_back(of.epilogue.bias->type);
    if (of.epilogue.aux) types.push_back(of.epilogue.aux->type);
    for (const cudaDataType type : types)
        if (size_of(type) == 0)
            return "elements of the type " + std::to_string(type) +
                   " are not there (float, double, half and bfloat16 are)";
    return {};
}

cublasStatus_t multiply(Call& call, const Product& of) {
    call.require(sound(of));
    if (call.fine() && (of.m == 0 || of.n == 0)) return call.status();
    if (const std::string why = why_no_product(of); call.fine() && !why.empty()) call.refuse(why);
    if (!call.fine()) return call.status();
    return of.scalars == CUDA_R_64F ? multiply_all<double>(call, of) : multiply_all<float>(call, of);
}

cublasStatus_t multiply_each(Call& call, Product product, const void* const a[], const void* const b[],
                             void* const c[]) {
    const auto count = static_cast<int>(std::clamp(product.count, 0ll, 1ll << 30));
    call.require(product.count >= 0);
    if (!call.fine() || count == 0) return call.status();
    const std::vector<const void*> lefts = call.read(Place<const void*const>{a, count, 1, count}),
                                   rights = call.read(Place<const void*const>{b, count, 1, count}),
                                   results = call.read(Place<const void*const>{c, count, 1, count});
    product.count = 1;
    for (std::size_t i = 0; i < lefts.size() && call.fine(); ++i) {
        product.a.at = lefts[i];
        product.b.at = rights[i];
        product.c.at = product.d.at = results[i];
        (void)multiply(call, product);
    }
    return call.status();
}

}  // namespace lanescope::cudart
