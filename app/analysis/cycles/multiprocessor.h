// One multiprocessor that executes streams, cycle by cycle.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/cycles/cycles.h"
#include "analysis/cycles/warp_streams.h"

namespace lanescope::analysis {

// What the estimate of a launch needs beside its streams.
struct LaunchContext {
    const DeviceModel& device;
    const MachineCode& machine;
    const std::vector<std::uint32_t>& lines;  // of each instruction
    std::uint32_t resident_blocks = 1;
    double grid = 1;   // blocks, of the launch that is estimated
    bool cold = true;  // nothing of its inputs is in L2
    // Bytes of the buffers that it reads, and of those that it writes.
    double read_bytes = 0, written_bytes = 0;
    std::uint64_t most_instructions = 400'000;
    std::size_t most_intervals = 0;
};

// `by_line`: the warp cycles of each line, as long as the largest line, are added to it.
LaunchCycles simulate(const LaunchStreams& streams, const LaunchContext& context,
                      std::vector<StallCycles>& by_line);

}  // namespace lanescope::analysis
