// One call of cuBLAS or cuBLASLt: copies from and to the device, and the call's status.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "cudart/libraries/blas.h"

// The runtime's library has them: one notes a call of another library, and once a sentence about it; the
// other one says so of a call that does not do what CUDA's does.
extern "C" void __cudaLanescopeLibraryCall(const char* function, const char* sentence);
extern "C" void __cudaLanescopeUnsupported(const char* function, const char* sentence);

namespace lanescope::cudart {

struct CallContext {
    cudaStream_t stream = nullptr;
    bool scalars_on_device = false;
};

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
    // `context`: null if the handle is.
    Call(const CallContext* context, const char* function)
        : context_(context ? *context : CallContext{}), function_(function) {
        cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
        if (context == nullptr)
            status_ = CUBLAS_STATUS_NOT_INITIALIZED;
        else if (cudaStreamIsCapturing(context_.stream, &capture) != cudaSuccess)
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
    void refuse(const std::string& why) {
        if (!fine()) return;
        status_ = CUBLAS_STATUS_NOT_SUPPORTED;
        __cudaLanescopeUnsupported(function_, (std::string(function_) + " is not supported: " + why).c_str());
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
        if (!context_.scalars_on_device) return *at;
        copy(&value, sizeof value, at, sizeof value, 1, 1, sizeof value);
        return value;
    }
    template <class T>
    void result(T* to, T value) {
        require(to != nullptr);
        if (!fine()) return;
        if (!context_.scalars_on_device)
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
                              context_.stream) != cudaSuccess)
            status_ = CUBLAS_STATUS_EXECUTION_FAILED;
    }

    CallContext context_;
    const char* function_;
    cublasStatus_t status_ = CUBLAS_STATUS_SUCCESS;
};

}  // namespace lanescope::cudart
