// cuBLAS's geam as a transpose of floats. cuBLAS is opened at run time, by the few functions that are needed,
// because it is large and often not installed.
#include <dlfcn.h>

#include "peer.cuh"

namespace lanescope::peers {
namespace {

// As cublas_api.h declares them; the interface is C, and has been the same since cuBLAS 4.
class Blas {
  public:
    using Handle = void*;
    static constexpr int no_transpose = 0, transpose = 1, success = 0;

    Blas() {
        const std::string file = "libcublas.so." + std::to_string(CUDART_VERSION / 1000);
        for (const std::string& path : {file, std::string(LANESCOPE_CUDA_FOLDER "/lib64/") + file,
                                        std::string(LANESCOPE_CUDA_FOLDER "/lib/") + file})
            if ((library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))) break;
        if (!library_) throw Failure("cuBLAS is not installed (" + file + " was not found)");
        load(create, "cublasCreate_v2");
        load(destroy, "cublasDestroy_v2");
        load(set_stream, "cublasSetStream_v2");
        load(get_version, "cublasGetVersion_v2");
        load(geam, "cublasSgeam");
    }
    // Never closed: cuBLAS keeps state in the context that outlives its handles.

    int (*create)(Handle*) = nullptr;
    int (*destroy)(Handle) = nullptr;
    int (*set_stream)(Handle, cudaStream_t) = nullptr;
    int (*get_version)(Handle, int*) = nullptr;
    int (*geam)(Handle, int, int, int, int, const float*, const float*, int, const float*, const float*, int,
                float*, int) = nullptr;

  private:
    template <class Function>
    void load(Function& function, const char* name) {
        function = reinterpret_cast<Function>(dlsym(library_, name));
        if (!function) throw Failure(std::string("cuBLAS has no ") + name);
    }

    void* library_ = nullptr;
};

const Blas& blas() {
    static const Blas loaded;
    return loaded;
}

void check_blas(int status, const char* what) {
    if (status != Blas::success)
        throw Failure(std::string(what) + " failed with cuBLAS status " + std::to_string(status));
}

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
          data_(with_input(request, values), sizeof(float), request.n * sizeof(float)) {
        check_blas(blas().create(&handle_), "cublasCreate");
        int version = 0;
        check_blas(blas().set_stream(handle_, data_.stream), "cublasSetStream");
        check_blas(blas().get_version(handle_, &version), "cublasGetVersion");
        library = "cuBLAS " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) +
                  "." + std::to_string(version % 100);
    }
    ~Geam() override {
        if (handle_) blas().destroy(handle_);
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
    Blas::Handle handle_ = nullptr;
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
