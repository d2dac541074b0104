// cuBLAS's geam as a transpose of floats.
#include "blas.cuh"

namespace lanescope::peers {
namespace {

// Whole numbers become floats: what is timed moves the same bytes.
std::vector<float> as_floats(const LanescopePeerRequest& request) {
    std::vector<float> values(request.n);
    if (is_element(request, "float")) {
        std::memcpy(values.data(), request.input, request.n * sizeof(float));
        return values;
    }
    const int* in = static_cast<const int*>(request.input);
    for (std::uint64_t i = 0; i < request.n; ++i)
        values[i] = float(in[i]);
    return values;
}

LanescopePeerRequest with_input(LanescopePeerRequest request, const std::vector<float>& values) {
    request.input = values.data();
    return request;
}

class Geam : public LanescopePeer {
  public:
    Geam(const LanescopePeerRequest& request, const std::vector<float>& values)
        : rows_(int(request.rows)),
          columns_(int(request.columns)),
          data_(with_input(request, values), sizeof(float), request.n * sizeof(float)),
          handle_(data_.stream) {
        library = handle_.library();
    }

    // cuBLAS counts by columns: our rows × columns is its columns × rows, and so is the result.
    void launch(std::uint64_t copy) override {
        const float one = 1, zero = 0;
        const float* in = data_.inputs[copy]->as<const float>();
        float* out = data_.outputs[copy]->as<float>();
        check_blas(blas().geam(handle_, Blas::transpose, Blas::no_transpose, rows_, columns_, &one, in,
                               columns_, &zero, out, rows_, out, rows_),
                   "cublasSgeam");
    }

    void check() override {
        launch(0);
        const float* in = data_.expected_from<float>();
        const std::vector<float> got = data_.download<float>();
        for (std::size_t row = 0; row < std::size_t(rows_); ++row)
            for (std::size_t column = 0; column < std::size_t(columns_); ++column) {
                const std::size_t at = column * rows_ + row;
                const float wanted = in[row * columns_ + column];
                if (got[at] != wanted) wrong_result(at, got[at], wanted);
            }
    }

    std::uint64_t compulsory_bytes() const override {
        return 2 * std::uint64_t(rows_) * columns_ * sizeof(float);
    }

  private:
    int rows_, columns_;
    Data data_;
    BlasHandle handle_;
};

std::uint64_t bytes_per_copy(const LanescopePeerRequest& request) {
    if (request.rows == 0 || request.columns == 0 || request.rows * request.columns != request.n)
        throw Failure("cublas_geam needs a matrix with at least one row and column");
    return 2 * request.n * element_bytes(request, {"int", "float"});
}

PeerPointer open(const LanescopePeerRequest& request) {
    blas();  // its absence is said before anything is uploaded
    return std::make_unique<Geam>(request, as_floats(request));
}

}  // namespace

const Entry geam_entry{"cublas_geam", bytes_per_copy, open};

}  // namespace lanescope::peers
