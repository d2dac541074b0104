// NVIDIA's driver, opened at run time; without it the program runs kernels on the CPU.
#pragma once

#include <cuda.h>

#include <memory>
#include <string>
#include <type_traits>

#include "base/result.h"

namespace lanescope::gpu {

// The functions by their names in libcuda, without "cu" and the version: mem_alloc is cuMemAlloc_v2.
struct DriverFunctions {
#define LANESCOPE_DRIVER(member, symbol) decltype(&::symbol) member = nullptr;
#define LANESCOPE_DRIVER_AS(member, symbol, ...) std::type_identity_t<__VA_ARGS__> member = nullptr;
#include "gpu/driver/driver_functions.def"
};

constexpr int toolkit_version = CUDA_VERSION;  // that this program is built with
constexpr int oldest_driver = 12000;           // of CUDA 12; see CUDA_VERSION for the numbers
constexpr int oldest_compute_capability = 75;  // the oldest that NVRTC of CUDA 13 makes code for

class Driver : public DriverFunctions {
  public:
    // Opens libcuda.so.1, or what $LANESCOPE_CUDA_DRIVER names, and initialises it. Errors, one line each: no
    // such library; it is too old; it finds no GPU; it does not start.
    static Result<std::shared_ptr<const Driver>> open();

    int version() const { return version_; }  // the newest CUDA that it supports: 13000
    std::string version_text() const;         // "13.0"
    const std::string& release() const {
        return release_;
    }                                                   // of the driver package: "580.95.05"; may be empty
    int device_count() const { return device_count_; }  // at least 1

    // Returns the limits of a driver that is older than the program's toolkit; empty if there are none.
    std::string older_than_toolkit() const;

    // Ok, or "what: the error's words (its name)".
    Result<void> check(CUresult status, const std::string& what) const;

  private:
    Driver() = default;
    Result<void> bind(void* library, const std::string& path);
    Result<void> start();

    int version_ = 0, device_count_ = 0;
    std::string release_;
};

std::string cuda_version_text(int version);  // 12040: "12.4"

}  // namespace lanescope::gpu
