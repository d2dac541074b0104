// Estimates how long the launches of a trace take on a described GPU, and why: a simulation of one
// multiprocessor with its share of L2 and DRAM, cycle by cycle.
//
// Inaccuracies: the blocks that are not recorded are taken to be like the nearest recorded one. All
// multiprocessors do the same at the same time. L2 and DRAM are queues with a rate, without banks. The
// machine code is guessed from the PTX (machine_code.h). Instruction caches miss only once. Textures are
// loads that miss L1.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/code.h"
#include "analysis/cycles/device_model.h"
#include "trace/trace.h"

namespace lanescope::analysis {

// Why a warp does not issue an instruction; named like the reasons of a profiler's samples.
enum class Stall : std::uint8_t {
    issues,
    global_memory,
    shared_memory,
    barrier,
    arithmetic,
    not_selected,
    memory_queue,
    shared_queue,
    pipe_busy,
    constant_cache,
    instructions,
    branch,
    fence,
    drain,
    count
};
constexpr std::size_t stall_count = static_cast<std::size_t>(Stall::count);
const char* to_text(Stall stall);  // "global_memory"

using StallCycles = std::array<double, stall_count>;

// One wait or issue of a warp: consecutive ones of the same line and reason are one.
struct WarpInterval {
    float begin = 0, end = 0;  // cycles since the launch began
    std::uint32_t line = 0;
    std::uint16_t warp = 0;   // of the block
    std::uint16_t block = 0;  // the how manieth of the multiprocessor
    Stall stall{};
};

// A block that was simulated, in the order of their starts: WarpInterval::block counts them.
struct SimulatedBlock {
    float begin = 0, end = 0;     // cycles since the launch began; end 0: it was not simulated to its end
    std::uint32_t block = 0;      // of the grid: the recorded one that stands for it
    std::uint32_t first_row = 0;  // of its warps, among those that are resident at the same time
    std::uint32_t warps = 0;
};

// A request of global memory that L1 could not answer.
struct MemoryFlight {
    float begin = 0, end = 0;  // cycles since the launch began
    std::uint32_t bytes = 0;
};

struct LaunchCycles {
    double cycles = 0;
    double simulated_cycles = 0;        // the intervals reach so far
    std::uint64_t blocks = 0;           // of the grid
    std::uint32_t resident_blocks = 0;  // at a time on a multiprocessor
    std::uint64_t issued = 0;  // instructions of the simulated multiprocessor, as far as it was simulated
    StallCycles stalls{};      // of its warps, as far as it was simulated
    bool whole = false;        // all blocks of the multiprocessor were simulated, not only its first ones
    double dram_bytes = 0, l2_bytes = 0;  // of the whole GPU
    // The shares of the time in which the unit is busy.
    double issue_share = 0, dram_share = 0, l2_share = 0, l1_share = 0, dispatch_share = 0;
    std::string limit;  // what limits it, in words
    // What the first blocks did, if it was asked for.
    std::vector<WarpInterval> intervals;  // those of a warp ascend
    std::vector<SimulatedBlock> simulated;
    std::vector<MemoryFlight> flights;
    std::uint32_t rows = 0;    // warps that are resident at the same time
    double useful_flight = 0;  // bytes on their way that keep the multiprocessor's share of DRAM busy
};

struct LineCycles {
    std::uint32_t line = 0;
    StallCycles stalls{};  // warp cycles of all launches, of the whole GPU
    double total() const;
};

struct CyclesRequest {
    // For each launch: blocks that fit on a multiprocessor, and how many times as large the grid and the
    // buffers are as those of the trace.
    struct Launch {
        std::uint32_t resident_blocks = 1;
        double scale = 1;
    };
    std::vector<Launch> launches;
    std::size_t most_intervals = 0;  // to keep, of all launches together
};

struct CyclesEstimate {
    std::string refused;  // why there is no estimate, a sentence; empty: there is one
    std::uint32_t refused_line = 0;
    double microseconds = 0;         // of all launches, with the time to launch them
    double launch_microseconds = 0;  // of these, the time to launch them
    std::vector<LaunchCycles> launches;
    std::vector<LineCycles> lines;  // the largest first

    bool mostly_launch() const { return microseconds < 8; }
    double warp_cycles() const;  // of all lines; at least 1
};

// What is simulated: the recorded blocks as streams of instructions. The trace is not needed any more.
struct CyclesInput;
// The trace is that of optimised code. `most_instructions`: to simulate, of all launches.
std::shared_ptr<const CyclesInput> read_cycles_input(const trace::Trace& trace, const Code& code,
                                                     std::uint64_t most_instructions = 400'000);

// `request` has an entry for each launch of the trace.
CyclesEstimate estimate_cycles(const CyclesInput& input, const DeviceModel& device,
                               const CyclesRequest& request);

}  // namespace lanescope::analysis
