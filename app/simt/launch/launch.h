// Requests to a machine, their limits, and their endings.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace lanescope::simt {

struct Limits {
    std::uint64_t warp_instructions = 2'000'000'000;
    // For all launches of a machine together. A recorded second counts twice, because the analysis of its
    // trace takes about as long.
    double seconds = 60;
    std::uint32_t launches = 20'000;          // of a machine, those by kernels included
    std::uint64_t memory_bytes = 4ull << 30;  // global, shared and local memory together
    std::uint32_t problems = 100;             // distinct ones; more are counted
    std::uint64_t console_bytes = 1ull << 20;
    // Host threads for the blocks of a launch that is not recorded; 0: one per core.
    std::uint32_t workers = 0;
};

// How far a launch is: another thread reads it while the launch runs.
struct RunWatch {
    std::atomic<std::uint64_t> warp_instructions{0};
    std::atomic<std::uint32_t> line{0};  // of the group whose turn is next; 0: not known
};

struct BlockRange {
    std::uint64_t first = 0, end = 0;  // one past the last
};

struct LaunchRequest {
    std::string kernel;  // KernelInfo::symbol
    std::string label;   // as the front matter names it, for messages and the trace
    trace::Dim3 grid, block;
    std::uint64_t dynamic_shared_bytes = 0;
    std::vector<std::vector<std::byte>> arguments;  // one per parameter, already of the parameter's size
    std::vector<std::uint32_t> recorded_blocks;     // empty: all
    bool only_recorded = false;                     // leaves out the other blocks of a recorded launch
    std::optional<trace::Dim3> cluster;  // blocks of a cluster; else as the kernel requires, or one
    bool cooperative = false;            // all blocks resident; the grid can synchronise
    std::uint32_t resident_blocks = 0;   // at most, at a time; 0: as the schedule says
    // Runs these blocks of the grid only; the others are left out. Grids that kernels launch run whole.
    std::optional<BlockRange> part;
    RunWatch* watch = nullptr;  // outlives the launch; null: nothing reads it
};

enum class Ending : std::uint8_t { finished, faulted, step_limit, timeout, deadlock, cancelled, refused };

struct Outcome {
    Ending ending = Ending::finished;
    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;
};

using DeviceAddress = std::uint64_t;

}  // namespace lanescope::simt
