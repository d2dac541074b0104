// cuBLAS's matrix products: floats without TF32, and half precision that tensor cores sum in floats. A
// request has one input, so that the square matrix is multiplied by itself: the same work as the product of
// two.
#include <cuda_fp16.h>

#include "blas.cuh"

namespace lanescope::peers {
namespace {

// Values of library_types.h and cublas_api.h.
constexpr int real_16f = 2, real_32f = 0, compute_32f = 68, default_algorithm = -1;
// Rows of the result that the host computes: all of them would take the host longer than the GPU by far.
constexpr std::size_t checked_rows = 8;

template <class Element>
class Product : public LanescopePeer {
  public:
    explicit Product(const LanescopePeerRequest& request)
        : n_(int(request.rows)),
          data_(request, sizeof(Element), request.n * sizeof(float)),
          handle_(data_.stream) {
        library = handle_.library();
    }

    // cuBLAS counts by columns: it takes both factors as transposed, and so is their product.
    void launch(std::uint64_t copy) override {
        const float one = 1, zero = 0;
        const Element* in = data_.inputs[copy]->as<const Element>();
        float* out = data_.outputs[copy]->as<float>();
        if constexpr (std::is_same_v<Element, float>)
            check_blas(blas().gemm(handle_, Blas::no_transpose, Blas::no_transpose, n_, n_, n_, &one, in, n_,
                                   in, n_, &zero, out, n_),
                       "cublasSgemm");
        else
            check_blas(blas().gemm_ex(handle_, Blas::no_transpose, Blas::no_transpose, n_, n_, n_, &one, in,
                                      real_16f, n_, in, real_16f, n_, &zero, out, real_32f, n_, compute_32f,
                                      default_algorithm),
                       "cublasGemmEx");
    }

    void check() override {
        launch(0);
        const Element* in = data_.expected_from<Element>();
        const std::vector<float> got = data_.download<float>();
        const std::size_t n = std::size_t(n_), step = std::max<std::size_t>(1, n / checked_rows);
        std::vector<double> sums(n), terms(n);
        for (std::size_t row = 0; row < n; row += step) {
            std::fill(sums.begin(), sums.end(), 0);
            std::fill(terms.begin(), terms.end(), 0);
            for (std::size_t k = 0; k < n; ++k)
                for (std::size_t column = 0; column < n; ++column) {
                    const double term = double(float(in[row * n + k])) * double(float(in[k * n + column]));
                    sums[column] += term;
                    terms[column] += std::abs(term);
                }
            for (std::size_t column = 0; column < n; ++column)
                if (!close_enough(double(got[row * n + column]), sums[column], terms[column]))
                    wrong_result(row * n + column, got[row * n + column], sums[column]);
        }
    }

    // Two factors and a product.
    std::uint64_t compulsory_bytes() const override {
        return std::uint64_t(n_) * n_ * (2 * sizeof(Element) + sizeof(float));
    }

  private:
    int n_;
    Data data_;
    BlasHandle handle_;
};

template <class Element>
std::uint64_t bytes_per_copy(const LanescopePeerRequest& request) {
    if (request.rows == 0 || request.rows != request.columns || request.rows * request.columns != request.n)
        throw Failure(std::string(request.name) + " needs a square matrix with at least one row");
    const char* element = std::is_same_v<Element, float> ? "float" : "half";
    return request.n * (element_bytes(request, {element}) + sizeof(float));
}

template <class Element>
PeerPointer open(const LanescopePeerRequest& request) {
    blas();  // its absence is said before anything is uploaded
    return std::make_unique<Product<Element>>(request);
}

}  // namespace

const Entry sgemm_entry{"cublas_sgemm", bytes_per_copy<float>, open<float>};
const Entry hgemm_entry{"cublas_hgemm", bytes_per_copy<__half>, open<__half>};

}  // namespace lanescope::peers
