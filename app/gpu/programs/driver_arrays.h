// The arrays of a program by the driver's handles, which are those of CUDA's runtime.
#pragma once

#include "gpu/driver/context.h"
#include "gpu/traced/traced_memory.h"

namespace lanescope::gpu {

class DriverArrays : public ProgramArrays {
  public:
    // The context, that of the program, outlives this.
    explicit DriverArrays(const Context& context) : context_(context) {}
    Result<void> copy(std::uint64_t handle, const simt::Image& image, TraceDevice::Address memory,
                      bool back) override;

  private:
    const Context& context_;
};

}  // namespace lanescope::gpu
