// The clock: how long the launches of a file would take on a GPU, estimated from a trace of its optimised
// code on this machine.
#pragma once

#include <atomic>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/cycles/cycles.h"
#include "execution/run/run.h"
#include "gpu/clean/occupancy.h"
#include "session/clock/resources.h"
#include "session/timing/timings.h"

namespace lanescope::session {

// Where the registers of a kernel come from; they limit the blocks on a multiprocessor.
enum class RegisterSource : std::uint8_t { recorded, assembler, assumed };

struct ClockedLaunch {
    std::string kernel;
    gpu::LaunchOccupancy occupancy;
    std::vector<gpu::OccupancyLimit> limits;  // of its blocks on a multiprocessor
    RegisterSource source = RegisterSource::assumed;
};

// The same launches under other conditions. 0, or a factor of 1: as they are.
struct WhatIf {
    int resident_blocks = 0;  // at most so many on a multiprocessor
    int registers = 0;     // of a thread; they only limit the blocks: what would be spilled is not modelled
    double latency = 1;    // factor of the latencies of L2 and DRAM
    double bandwidth = 1;  // factor of the rates of L2 and DRAM
    int schedulers = 0;    // of a multiprocessor
    double clock_ghz = 0;  // of the multiprocessors; memory keeps its own clock
    bool operator==(const WhatIf&) const = default;
};

// How far estimates were from recorded times; see DeviceModel.
struct ClockError {
    double recorded_runs = 0, half_within = 0, nine_of_ten_within = 0;
};

struct ClockReading {
    std::string device;
    ClockError error;
    analysis::CyclesEstimate estimate;
    std::vector<ClockedLaunch> launches;      // beside those of the estimate
    lesson::ParameterValues parameters;       // as they were asked for, defaults included
    std::vector<lesson::Parameter> declared;  // by the file
    // Those of the run that was traced, if its grid is smaller; else empty.
    lesson::ParameterValues traced;
    double run_ms = 0, estimate_ms = 0;  // wall time
};

// What the clock needs of one file: a recorded run, which can be estimated several times.
class Clock {
  public:
    // Enough for the images of the course's largest buffers, where no window waits.
    static constexpr std::uint64_t large_trace_bytes = 4ull << 30;

    // Runs the file with optimised code, recording some blocks of each grid. A grid that is too large for
    // that runs smaller, if one parameter makes only the grid larger. `recorded` has registers of kernels; it
    // may be null. Errors: those of execution::record().
    static Result<Clock> wind(execution::RunRequest request, const analysis::DeviceModel& device,
                              const Timings* recorded, const std::atomic<bool>* cancel = nullptr);
    // The same for a run that has a trace. Error: its code is not optimised.
    static Result<Clock> of(const execution::RunResult& run, const analysis::DeviceModel& device,
                            const Timings* recorded);
    // `most_intervals`: of warps, to keep.
    ClockReading read(const analysis::DeviceModel& device, const WhatIf& what_if = {},
                      std::size_t most_intervals = 0) const;

    // What the assembler makes of the kernels. Starts programs; takes a tenth of a second.
    Resources resources() const { return resources_of(code_); }
    const std::vector<ClockedLaunch>& launches() const { return facts_.launches; }

  private:
    void take(const execution::RunResult& run, const analysis::DeviceModel& device, const Timings* recorded);

    ClockReading facts_;  // without the estimate
    ExaminedCode code_;
    std::shared_ptr<const analysis::CyclesInput> input_;
    std::vector<double> scales_;  // of each launch: how many times as large it is as the one that ran
};

// The blocks of a grid that stand for all of it: all of a small one; else the first, the last and some
// between.
std::vector<std::uint32_t> sampled_blocks(std::uint64_t grid);

// "5.1 µs", "12 ns": two significant digits at most; "≈ 5.1 µs".
std::string estimated_time(double microseconds);
std::string estimated_words(double microseconds);
// "Estimated for an NVIDIA H200 from the CPU machine's trace; on 239 recorded runs …"
std::string error_words(const ClockReading& reading);
// "64 warps share a multiprocessor, whose schedulers issue in 3 % of their cycles. A warp waits 71 % of its
// time for global memory, 22 % for its stores." Empty if there is no estimate.
std::string wait_words(const ClockReading& reading, std::size_t launch);
const char* to_text(RegisterSource source);
// Warp cycles by their reasons, of all lines.
analysis::StallCycles stalls_of(const analysis::CyclesEstimate& estimate);
// The reasons that cost most on the line, at most two, each at least a hundredth of `all` warp cycles.
std::vector<analysis::Stall> largest_stalls(const analysis::LineCycles& line, double all);
// The shares of the lines, as of samples; empty if there is no estimate.
LineTimes line_times(const ClockReading& reading);

// What each kernel and line needs, and how many blocks that allows on a multiprocessor.
std::string resources_text(const Resources& resources, const std::vector<ClockedLaunch>& launches,
                           const std::string& source);
nlohmann::ordered_json resources_json(const Resources& resources, const std::vector<ClockedLaunch>& launches);

std::string to_text(const ClockReading& reading, const std::string& source);
nlohmann::ordered_json to_json(const ClockReading& reading);

}  // namespace lanescope::session
