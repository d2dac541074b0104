// The recorded blocks of a launch as streams: for each warp, the instructions in the order in which the
// assembler's code issues them, with what each access needs of the memory.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/cycles/machine_code.h"
#include "trace/trace.h"

namespace lanescope::analysis {

struct MemoryRequest {
    trace::AccessKind kind{};
    trace::Space space{};
    std::uint8_t width_bytes = 0;  // of a lane
    std::uint8_t lanes = 0;
    std::uint8_t passes = 0;      // atomics: the most lanes on one address
    std::uint8_t lines = 0;       // of 128 bytes
    std::uint8_t wavefronts = 0;  // of shared memory
    std::uint8_t sectors = 0;     // of 32 bytes, ascending from `first` in LaunchStreams::sectors
    std::uint32_t first = 0;
};

constexpr std::uint32_t no_request = 0xffffffff;

struct StreamEntry {
    std::uint32_t pc = 0;
    std::uint32_t request = no_request;  // into LaunchStreams::requests
};

struct BlockStream {
    std::uint32_t block = 0;
    std::vector<std::vector<StreamEntry>> warps;
    std::uint64_t entries() const;
};

struct LaunchStreams {
    std::uint64_t grid = 0;  // blocks
    std::uint32_t warps = 0;
    std::uint32_t shared_bytes = 0;
    std::vector<BlockStream> blocks;  // ascending; at least one that ran
    std::vector<MemoryRequest> requests;
    std::vector<std::uint32_t> sectors;
};

// Reads one launch. Stops after the block with which there are more than `most_entries`. `line_of`: gets, for
// each instruction that ran, its line; as long as the code.
LaunchStreams read_launch(const trace::Trace& trace, const MachineCode& machine, std::uint32_t launch,
                          std::uint64_t most_entries, std::vector<std::uint32_t>& lines);

}  // namespace lanescope::analysis
