// What every peer has: its input on the device in rotating copies, an output for each, and a host reference.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "abi.h"

namespace lanescope::peers {

// Thrown inside the library only; library.cu turns it into the caller's error text.
struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline void check_cuda(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    cudaGetLastError();  // a failed allocation must not be found again by the next launch
    throw Failure(std::string(what) + ": " + cudaGetErrorString(status));
}

class DeviceMemory {
  public:
    explicit DeviceMemory(std::size_t bytes) {
        check_cuda(cudaMalloc(&data_, bytes ? bytes : 1), "allocating");
    }
    ~DeviceMemory() { cudaFree(data_); }
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    template <class T>
    T* as() const {
        return static_cast<T*>(data_);
    }

  private:
    void* data_ = nullptr;
};

// Of the request what outlives open(): the host's input is copied for check().
struct Data {
    Data(const LanescopePeerRequest& request, std::size_t element_bytes, std::size_t output_bytes_)
        : host(static_cast<const char*>(request.input),
               static_cast<const char*>(request.input) + request.n * element_bytes),
          output_bytes(output_bytes_),
          stream(static_cast<cudaStream_t>(request.stream)) {
        for (std::uint64_t i = 0; i < request.copies; ++i) {
            inputs.push_back(std::make_unique<DeviceMemory>(host.size()));
            outputs.push_back(std::make_unique<DeviceMemory>(output_bytes));
            // Another value than the right one, so that a result that was never written is noticed.
            check_cuda(cudaMemsetAsync(outputs[i]->as<void>(), 0xa5, output_bytes, stream), "clearing");
            if (i == 0)
                check_cuda(cudaMemcpyAsync(inputs[0]->as<void>(), host.data(), host.size(),
                                           cudaMemcpyHostToDevice, stream),
                           "uploading");
            else
                check_cuda(cudaMemcpyAsync(inputs[i]->as<void>(), inputs[0]->as<void>(), host.size(),
                                           cudaMemcpyDeviceToDevice, stream),
                           "copying");
        }
        check_cuda(cudaStreamSynchronize(stream), "uploading");
    }

    template <class T>
    const T* expected_from() const {
        return reinterpret_cast<const T*>(host.data());
    }
    template <class T>
    std::vector<T> download() const {
        std::vector<T> result(output_bytes / sizeof(T));
        check_cuda(cudaMemcpyAsync(result.data(), outputs[0]->as<void>(), output_bytes,
                                   cudaMemcpyDeviceToHost, stream),
                   "downloading");
        check_cuda(cudaStreamSynchronize(stream), "running");
        return result;
    }

    std::vector<char> host;
    std::size_t output_bytes;
    cudaStream_t stream;
    std::vector<std::unique_ptr<DeviceMemory>> inputs, outputs;
};

// Integers are equal modulo 2^32; a float may differ by 1e-5 of the size of the terms that went into it.
inline bool close_enough(std::int64_t got, std::int64_t wanted, double) {
    return static_cast<std::uint32_t>(got) == static_cast<std::uint32_t>(wanted);
}
inline bool close_enough(double got, double wanted, double terms) {
    return std::abs(got - wanted) <= 1e-5 * std::max(terms, 1e-30);
}
// In which sums are made on the host.
inline std::int64_t wide(int value) {
    return value;
}
inline double wide(float value) {
    return value;
}

[[noreturn]] inline void wrong_result(std::size_t at, double got, double wanted) {
    throw Failure("wrong result: element " + std::to_string(at) + " is " + std::to_string(got) +
                  " instead of " + std::to_string(wanted));
}

}  // namespace lanescope::peers

// Opaque to the caller.
struct LanescopePeer {
    virtual ~LanescopePeer() = default;
    virtual void launch(std::uint64_t copy) = 0;
    virtual void check() = 0;
    virtual std::uint64_t compulsory_bytes() const = 0;
    std::string library;
};

namespace lanescope::peers {

using PeerPointer = std::unique_ptr<LanescopePeer>;

// One peer by name: what a copy of its data takes, and how it is made. Both refuse by throwing Failure.
struct Entry {
    const char* name;
    std::uint64_t (*bytes_per_copy)(const LanescopePeerRequest& request);
    PeerPointer (*open)(const LanescopePeerRequest& request);
};

extern const Entry reduce_entry, exclusive_scan_entry, inclusive_scan_entry, histogram_entry, geam_entry,
    sgemm_entry, hgemm_entry, memcpy_entry, copy_kernel_entry;

std::string cub_version();

// Throws unless the element type is one of these and n fits CUB's 32-bit offsets.
std::size_t element_bytes(const LanescopePeerRequest& request, std::initializer_list<const char*> allowed);
bool is_element(const LanescopePeerRequest& request, const char* name);

}  // namespace lanescope::peers
