// Clock rates of a device, which are part of every timing.
#pragma once

#include <string>

#include "gpu/driver/context.h"

namespace lanescope::gpu {

struct Clocks {
    int sm_mhz = 0, memory_mhz = 0;  // now; 0: not known
    int max_sm_mhz = 0, max_memory_mhz = 0;
    std::string source;  // "NVML"; "CUDA": only the highest ones, without the present ones
};

// Reads them from NVML if it can be opened (libnvidia-ml.so.1), else from the device's attributes. Never
// fails: an unknown clock is 0.
Clocks read_clocks(const Context& context);

}  // namespace lanescope::gpu
