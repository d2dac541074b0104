// The products of matrices of cuBLASLt on the CPU machine, with their bias, ReLU and GELU; what else cuBLASLt
// has returns CUBLAS_STATUS_NOT_SUPPORTED.
#include <cublasLt.h>

#include <cstring>
#include <new>

#include "cudart/libraries/product.h"

#define LANESCOPE_CUBLASLT extern "C" __attribute__((visibility("default")))

struct cublasLtContext {
    int of_nothing = 0;
};

namespace lanescope::cudart {

namespace {

struct Layout {
    std::uint32_t type = CUDA_R_32F;
    std::int32_t order = CUBLASLT_ORDER_COL;
    std::uint64_t rows = 0, columns = 0;
    std::int64_t stride = 0;
    std::int32_t count = 1;
    std::int64_t step = 0;

    Matrix matrix(const void* at) const { return {at, static_cast<cudaDataType>(type), stride, step}; }
};

struct Operation {
    std::int32_t compute = CUBLAS_COMPUTE_32F, scalars = CUDA_R_32F, pointers = CUBLASLT_POINTER_MODE_HOST;
    std::int32_t a_op = CUBLAS_OP_N, b_op = CUBLAS_OP_N, c_op = CUBLAS_OP_N;
    std::uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    const void* bias = nullptr;
    std::int64_t bias_step = 0;
    void* aux = nullptr;
    std::int64_t aux_stride = 0, aux_step = 0;
    std::int32_t bias_type = -1, aux_type = -1;  // -1: that of the result
    std::int32_t fast_sums = 0, processors = 0;  // change the speed alone
    std::int32_t unsupported = -1;               // an attribute that was set and is not there
};

static_assert(sizeof(Layout) <= sizeof(cublasLtMatrixLayoutOpaque_t));
static_assert(sizeof(Operation) <= sizeof(cublasLtMatmulDescOpaque_t));

Layout& of(cublasLtMatrixLayout_t layout) {
    return *std::launder(reinterpret_cast<Layout*>(layout->data));
}
Operation& of(cublasLtMatmulDesc_t operation) {
    return *std::launder(reinterpret_cast<Operation*>(operation->data));
}

// A member of a description, as bytes.
struct Member {
    void* at = nullptr;
    std::size_t bytes = 0;
};
template <class T>
Member member(T& value) {
    return {&value, sizeof value};
}

Member member_of(Layout& layout, cublasLtMatrixLayoutAttribute_t attribute) {
    switch (attribute) {
        case CUBLASLT_MATRIX_LAYOUT_TYPE:
            return member(layout.type);
        case CUBLASLT_MATRIX_LAYOUT_ORDER:
            return member(layout.order);
        case CUBLASLT_MATRIX_LAYOUT_ROWS:
            return member(layout.rows);
        case CUBLASLT_MATRIX_LAYOUT_COLS:
            return member(layout.columns);
        case CUBLASLT_MATRIX_LAYOUT_LD:
            return member(layout.stride);
        case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
            return member(layout.count);
        case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
            return member(layout.step);
        default:
            return {};
    }
}

Member member_of(Operation& operation, cublasLtMatmulDescAttributes_t attribute) {
    switch (attribute) {
        case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
            return member(operation.compute);
        case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
            return member(operation.scalars);
        case CUBLASLT_MATMUL_DESC_POINTER_MODE:
            return member(operation.pointers);
        case CUBLASLT_MATMUL_DESC_TRANSA:
            return member(operation.a_op);
        case CUBLASLT_MATMUL_DESC_TRANSB:
            return member(operation.b_op);
        case CUBLASLT_MATMUL_DESC_TRANSC:
            return member(operation.c_op);
        case CUBLASLT_MATMUL_DESC_EPILOGUE:
            return member(operation.epilogue);
        case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
            return member(operation.bias);
        case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE:
            return member(operation.bias_step);
        case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
            return member(operation.bias_type);
        case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
            return member(operation.aux);
        case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
            return member(operation.aux_stride);
        case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE:
            return member(operation.aux_step);
        case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE:
            return member(operation.aux_type);
        case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET:
            return member(operation.processors);
        default:
            return {};
    }
}

cublasStatus_t set(Member to, const void* from, std::size_t bytes) {
    if (from == nullptr || bytes != to.bytes) return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(to.at, from, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t get(Member from, void* to, std::size_t bytes, std::size_t* written) {
    if (written != nullptr) *written = from.bytes;
    if (bytes == 0) return written != nullptr ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
    if (from.bytes == 0 || to == nullptr || bytes < from.bytes) return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(to, from.at, from.bytes);
    return CUBLAS_STATUS_SUCCESS;
}

// Creates a description, or initialises its memory: NVIDIA's are opaque and may lie where the program wants.
template <class Made, class Opaque>
cublasStatus_t put(Opaque* to, const Made& value) {
    if (to == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    new (to->data) Made(value);
    return CUBLAS_STATUS_SUCCESS;
}
template <class Made, class Opaque>
cublasStatus_t create(Opaque** to, const Made& value) {
    if (to == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *to = new Opaque;
    return put(*to, value);
}

Epilogue epilogue_of(const Operation& operation, const Layout& d, std::string& why) {
    Epilogue made;
    const std::uint32_t wanted = operation.epilogue;
    constexpr std::uint32_t known = CUBLASLT_EPILOGUE_RELU | CUBLASLT_EPILOGUE_BIAS |
                                    CUBLASLT_EPILOGUE_GELU_AUX | CUBLASLT_EPILOGUE_DGELU |
                                    CUBLASLT_EPILOGUE_DEFAULT;
    const bool aux = (wanted & 128) != 0, relu = (wanted & CUBLASLT_EPILOGUE_RELU) != 0;
    if ((wanted & ~known) != 0 || (relu && aux)) {
        why = "the epilogue " + std::to_string(wanted) + " is not there";
        return made;
    }
    if (relu) made.function = Epilogue::Function::relu;
    if ((wanted & CUBLASLT_EPILOGUE_GELU) != 0) made.function = Epilogue::Function::gelu;
    if ((wanted & 64) != 0) made.function = Epilogue::Function::gelu_gradient;
    const auto type = [&](std::int32_t given) {
        return static_cast<cudaDataType>(given < 0 ? static_cast<std::int32_t>(d.type) : given);
    };
    if ((wanted & CUBLASLT_EPILOGUE_BIAS) != 0)
        made.bias = Matrix{operation.bias, type(operation.bias_type), static_cast<long long>(d.rows),
                           operation.bias_step};
    if (aux)
        made.aux = Matrix{operation.aux, type(operation.aux_type), operation.aux_stride, operation.aux_step};
    return made;
}

// The product that these descriptions mean. `why`: it is not there.
Product product_of(const Operation& operation, const Layout& a, const Layout& b, const Layout& c,
                   const Layout& d, std::string& why) {
    Product made;
    made.a_op = static_cast<cublasOperation_t>(operation.a_op);
    made.b_op = static_cast<cublasOperation_t>(operation.b_op);
    made.m = static_cast<long long>(d.rows);
    made.n = static_cast<long long>(d.columns);
    made.k = static_cast<long long>(operation.a_op == CUBLAS_OP_N ? a.columns : a.rows);
    made.scalars = static_cast<cudaDataType>(operation.scalars);
    made.a = a.matrix(nullptr), made.b = b.matrix(nullptr), made.c = c.matrix(nullptr),
    made.d = d.matrix(nullptr);
    made.count = d.count;
    made.epilogue = epilogue_of(operation, d, why);
    for (const Layout* each : {&a, &b, &c, &d})
        if (each->order != CUBLASLT_ORDER_COL) why = "matrices that are not stored by columns are not there";
    if (operation.c_op != CUBLAS_OP_N) why = "a transposed C is not there";
    if (operation.unsupported >= 0)
        why = "the attribute " + std::to_string(operation.unsupported) + " of the operation is not there";
    if (why.empty()) why = why_no_product(made);
    return made;
}

// Sizes of the operands that do not belong together.
bool sizes_agree(const Product& of, const Layout& a, const Layout& b, const Layout& c, const Layout& d) {
    const auto is = [](const Layout& matrix, long long rows, long long columns) {
        return matrix.rows == static_cast<std::uint64_t>(rows) &&
               matrix.columns == static_cast<std::uint64_t>(columns);
    };
    return (of.a_op == CUBLAS_OP_N ? is(a, of.m, of.k) : is(a, of.k, of.m)) &&
           (of.b_op == CUBLAS_OP_N ? is(b, of.k, of.n) : is(b, of.n, of.k)) && is(c, of.m, of.n) &&
           a.count == d.count && b.count == d.count && c.count == d.count;
}

}  // namespace

}  // namespace lanescope::cudart

using namespace lanescope::cudart;

LANESCOPE_CUBLASLT cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
    if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *handle = new cublasLtContext;
    return CUBLAS_STATUS_SUCCESS;
}

LANESCOPE_CUBLASLT cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}

LANESCOPE_CUBLASLT size_t cublasLtGetVersion() {
    return CUBLAS_VERSION;
}

// --- descriptions

LANESCOPE_CUBLASLT cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout,
                                                                    size_t size, cudaDataType type,
                                                                    uint64_t rows, uint64_t columns,
                                                                    int64_t stride) {
    if (size < sizeof(Layout)) return CUBLAS_STATUS_ALLOC_FAILED;
    return put(layout, Layout{static_cast<std::uint32_t>(type), CUBLASLT_ORDER_COL, rows, columns, stride});
}

LANESCOPE_CUBLASLT cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout,
                                                             cudaDataType type, uint64_t rows,
                                                             uint64_t columns, int64_t stride) {
    return create(layout,
                  Layout{static_cast<std::uint32_t>(type), CUBLASLT_ORDER_COL, rows, columns, stride});
}

LANESCOPE_CUBLASLT cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
    delete layout;
    return CUBLAS_STATUS_SUCCESS;
}

LANESCOPE_CUBLASLT cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                                   cublasLtMatrixLayoutAttribute_t attribute,
                                                                   const void* value, size_t bytes) {
    if (layout == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    return set(member_of(of(layout), attribute), value, bytes);
}

LANESCOPE_CUBLASLT cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout,
                                                                   cublasLtMatrixLayoutAttribute_t attribute,
                                                                   void* value, size_t bytes,
                                                                   size_t* written) {
    if (layout == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    return get(member_of(of(layout), attribute), value, bytes, written);
}

LANESCOPE_CUBLASLT cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t operation, size_t size,
                                                                  cublasComputeType_t compute,
                                                                  cudaDataType_t scalars) {
    if (size < sizeof(Operation)) return CUBLAS_STATUS_ALLOC_FAILED;
    return put(operation, Operation{compute, scalars});
}

LANESCOPE_CUBLASLT cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* operation,
                                                           cublasComputeType_t compute,
                                                           cudaDataType_t scalars) {
    return create(operation, Operation{compute, scalars});
}

LANESCOPE_CUBLASLT cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t operation) {
    delete operation;
    return CUBLAS_STATUS_SUCCESS;
}

LANESCOPE_CUBLASLT cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t operation,
                                                                 cublasLtMatmulDescAttributes_t attribute,
                                                                 const void* value, size_t bytes) {
    if (operation == nullptr || value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    if (attribute == CUBLASLT_MATMUL_DESC_FAST_ACCUM)
        return CUBLAS_STATUS_SUCCESS;  // changes the speed alone
    const Member member = member_of(of(operation), attribute);
    if (member.bytes != 0) return set(member, value, bytes);
    // Scales of narrow types and the like: zero means that there is none.
    const auto* first = static_cast<const unsigned char*>(value);
    if (std::any_of(first, first + bytes, [](unsigned char byte) { return byte != 0; }))
        of(operation).unsupported = attribute;
    return CUBLAS_STATUS_SUCCESS;
}

LANESCOPE_CUBLASLT cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t operation,
                                                                 cublasLtMatmulDescAttributes_t attribute,
                                                                 void* value, size_t bytes, size_t* written) {
    if (operation == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    return get(member_of(of(operation), attribute), value, bytes, written);
}

// What a program prefers changes the speed alone.
LANESCOPE_CUBLASLT cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference,
                                                                        size_t) {
    return put(preference, 0);
}

LANESCOPE_CUBLASLT cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
    return create(preference, 0);
}

LANESCOPE_CUBLASLT cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
    delete preference;
    return CUBLAS_STATUS_SUCCESS;
}

LANESCOPE_CUBLASLT cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                                       cublasLtMatmulPreferenceAttributes_t,
                                                                       const void* value, size_t) {
    return preference == nullptr || value == nullptr ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}

// --- products

LANESCOPE_CUBLASLT cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t operation, cublasLtMatrixLayout_t a,
    cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d, cublasLtMatmulPreference_t,
    int wanted, cublasLtMatmulHeuristicResult_t results[], int* returned) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (operation == nullptr || a == nullptr || b == nullptr || c == nullptr || d == nullptr || wanted < 1 ||
        results == nullptr || returned == nullptr)
        return CUBLAS_STATUS_INVALID_VALUE;
    std::string why;
    (void)product_of(of(operation), of(a), of(b), of(c), of(d), why);
    *returned = why.empty() ? 1 : 0;
    if (!why.empty()) {
        __cudaLanescopeUnsupported("cublasLtMatmulAlgoGetHeuristic",
                                   ("cublasLtMatmul is not supported: " + why).c_str());
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    results[0] = {};
    results[0].state = CUBLAS_STATUS_SUCCESS;
    results[0].wavesCount = 1;
    return CUBLAS_STATUS_SUCCESS;
}

LANESCOPE_CUBLASLT cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                                                 const void* alpha, const void* a,
                                                 cublasLtMatrixLayout_t a_layout, const void* b,
                                                 cublasLtMatrixLayout_t b_layout, const void* beta,
                                                 const void* c, cublasLtMatrixLayout_t c_layout, void* d,
                                                 cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t*,
                                                 void*, size_t, cudaStream_t stream) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (operation == nullptr || a_layout == nullptr || b_layout == nullptr || c_layout == nullptr ||
        d_layout == nullptr)
        return CUBLAS_STATUS_INVALID_VALUE;
    const CallContext context{stream, of(operation).pointers != CUBLASLT_POINTER_MODE_HOST};
    Call call(&context, "cublasLtMatmul");
    std::string why;
    Product product = product_of(of(operation), of(a_layout), of(b_layout), of(c_layout), of(d_layout), why);
    if (of(operation).pointers > CUBLASLT_POINTER_MODE_DEVICE) why = "vectors of factors are not there";
    if (!why.empty()) call.refuse(why);
    // As an H200's library answers.
    call.require(of(operation).epilogue != CUBLASLT_EPILOGUE_DGELU || of(operation).bias == nullptr);
    call.require(sizes_agree(product, of(a_layout), of(b_layout), of(c_layout), of(d_layout)));
    product.alpha = alpha, product.beta = beta;
    product.a.at = a, product.b.at = b, product.c.at = c, product.d.at = d;
    return multiply(call, product);
}
