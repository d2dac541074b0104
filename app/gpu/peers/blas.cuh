// cuBLAS, opened at run time by the few functions that are needed, because it is large and often not
// installed.
#pragma once

#include <dlfcn.h>

#include "peer.cuh"

namespace lanescope::peers {

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
        load(gemm, "cublasSgemm_v2");
        load(gemm_ex, "cublasGemmEx");
    }
    // Never closed: cuBLAS keeps state in the context that outlives its handles.

    int (*create)(Handle*) = nullptr;
    int (*destroy)(Handle) = nullptr;
    int (*set_stream)(Handle, cudaStream_t) = nullptr;
    int (*get_version)(Handle, int*) = nullptr;
    int (*geam)(Handle, int, int, int, int, const float*, const float*, int, const float*, const float*, int,
                float*, int) = nullptr;
    int (*gemm)(Handle, int, int, int, int, int, const float*, const float*, int, const float*, int,
                const float*, float*, int) = nullptr;
    int (*gemm_ex)(Handle, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int,
                   const void*, void*, int, int, int, int) = nullptr;

  private:
    template <class Function>
    void load(Function& function, const char* name) {
        function = reinterpret_cast<Function>(dlsym(library_, name));
        if (!function) throw Failure(std::string("cuBLAS has no ") + name);
    }

    void* library_ = nullptr;
};

inline const Blas& blas() {
    static const Blas loaded;
    return loaded;
}

inline void check_blas(int status, const char* what) {
    if (status != Blas::success)
        throw Failure(std::string(what) + " failed with cuBLAS status " + std::to_string(status));
}

// A handle whose work goes to one stream.
class BlasHandle {
  public:
    explicit BlasHandle(cudaStream_t stream) {
        check_blas(blas().create(&handle_), "cublasCreate");
        check_blas(blas().set_stream(handle_, stream), "cublasSetStream");
    }
    ~BlasHandle() {
        if (handle_) blas().destroy(handle_);
    }
    BlasHandle(const BlasHandle&) = delete;
    BlasHandle& operator=(const BlasHandle&) = delete;

    operator Blas::Handle() const { return handle_; }
    // "cuBLAS 13.1.0"
    std::string library() const {
        int version = 0;
        check_blas(blas().get_version(handle_, &version), "cublasGetVersion");
        return "cuBLAS " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
               std::to_string(version % 100);
    }

  private:
    Blas::Handle handle_ = nullptr;
};

}  // namespace lanescope::peers
