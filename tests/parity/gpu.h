// The little of the CUDA driver that a recording needs, loaded at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace lanescope::parity {

class Gpu {
  public:
    static Result<std::unique_ptr<Gpu>> open();  // error: no driver or no device
    ~Gpu();
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;

    const std::string& device() const { return device_; }
    const std::string& driver() const { return driver_; }

    // Loads the module, runs its kernels k0 … one after the other, each with the buffers of its own: inputs are
    // read, memory is read and written, outputs are zero before. Error: what the driver says.
    struct Buffers {
        std::vector<std::byte> inputs, memory, outputs;
    };
    Result<void> run(const std::string& ptx, const std::string& kernel, std::uint32_t blocks, std::uint32_t threads,
                     Buffers& buffers);

  private:
    Gpu() = default;
    struct Api;
    Result<void> check(int status, const char* what) const;
    Result<void> launch(void* module, const std::string& kernel, std::uint32_t blocks, std::uint32_t threads,
                        Buffers& buffers);
    Result<void> make_context();

    std::unique_ptr<Api> api_;
    int number_ = 0;
    std::string device_, driver_;
};

}  // namespace lanescope::parity
