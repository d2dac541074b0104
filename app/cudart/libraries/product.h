// Products of matrices whose elements have any of the usual types, for cuBLAS and cuBLASLt.
#pragma once

#include <optional>

#include "cudart/libraries/blas_call.h"

namespace lanescope::cudart {

// A letter of Fortran's; 0: none.
char letter_of(cublasOperation_t operation);

// A matrix of the device by columns, which are `stride` elements apart; `step` elements further lies the next
// one of a batch.
struct Matrix {
    const void* at = nullptr;
    cudaDataType type = CUDA_R_32F;
    long long stride = 0, step = 0;
};

// What cuBLASLt does with the sums before they are stored; x is a sum, by row of the result.
struct Epilogue {
    enum class Function { none, relu, gelu, gelu_gradient };
    Function function = Function::none;
    std::optional<Matrix> bias = {};  // a column that is added to each column of the result
    std::optional<Matrix> aux = {};  // of gelu: receives x; of gelu_gradient: holds the x of the forward pass
};

// d = alpha op(a) op(b) + beta c, `count` times; d is m × n, and the sums have k terms. Sums are in float, or
// in double where `scalars` is CUDA_R_64F: the system's BLAS computes them on copies.
struct Product {
    cublasOperation_t a_op = CUBLAS_OP_N, b_op = CUBLAS_OP_N;
    long long m = 0, n = 0, k = 0;
    cudaDataType scalars = CUDA_R_32F;  // the type of alpha and beta
    const void* alpha = nullptr;
    Matrix a = {}, b = {};
    const void* beta = nullptr;
    Matrix c = {}, d = {};
    long long count = 1;
    Epilogue epilogue = {};
};

// Why such a product is not there: "elements of the type 3"; empty: it is.
std::string why_no_product(const Product& product);

cublasStatus_t multiply(Call& call, const Product& product);

// The same with the places of the matrices of a batch in arrays of the device.
cublasStatus_t multiply_each(Call& call, Product product, const void* const a[], const void* const b[],
                             void* const c[]);

}  // namespace lanescope::cudart
