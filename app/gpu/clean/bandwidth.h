// How fast bytes move between host and device, as NVIDIA's bandwidthTest measures it: copies of 32 MiB, one
// at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/driver/context.h"

namespace lanescope::gpu {

struct Transfer {
    const char* direction = "";  // host_to_device, device_to_host, device_to_device
    const char* memory = "";     // of the host: pinned, pageable; device
    std::uint64_t bytes = 0;     // that one copy copies
    int runs = 0;
    // GB/s, 10^9 bytes a second. A copy within the device reads and writes: its bytes count twice.
    double median = 0, minimum = 0, maximum = 0;
};

struct BandwidthPlan {
    std::uint64_t bytes = 32ull << 20;
    std::uint64_t large_bytes =
        1ull << 30;  // a second copy within the device, beyond its caches; less where little is free
    int runs = 21;   // after 3 that do not count
};

// Pinned copies and those within the device are timed by the device's events, pageable ones by the host's
// clock, because the driver copies them in parts. Errors: too little memory; the driver's own.
Result<std::vector<Transfer>> measure_bandwidth(const Context& context, const BandwidthPlan& plan = {});

}  // namespace lanescope::gpu
