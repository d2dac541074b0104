// A small kernel with known results, which checks that this GPU runs NVRTC's code and writes to the right
// places.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "gpu/driver/context.h"

namespace lanescope::gpu {

class Trial {
  public:
    static const std::string& source();  // CUDA C++, to be compiled for the oldest compute capability

    // Error: the driver refuses the PTX; it says what helps.
    static Result<Trial> load(const Context& context, const std::string& ptx);
    ~Trial();
    Trial(Trial&& other) noexcept;
    Trial& operator=(Trial&&) = delete;

    // Runs the kernel over `count` numbers at that address and waits, 10 seconds at most.
    Result<void> write(CUdeviceptr numbers, std::uint32_t count) const;
    // Ok if these are the kernel's results; else an error that names the first difference.
    static Result<void> compare(std::span<const std::uint32_t> numbers);

  private:
    Trial(const Context& context, CUmodule module, CUfunction function)
        : context_(&context), life_(context.life()), module_(module), function_(function) {}

    const Context* context_;
    std::shared_ptr<ContextLife> life_;  // whose module it is
    CUmodule module_ = nullptr;
    CUfunction function_ = nullptr;
};

// Runs the whole trial in memory of the device.
Result<void> try_kernel(const Context& context, const std::string& ptx);

}  // namespace lanescope::gpu
