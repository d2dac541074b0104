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
#include "session/timing/timings.h"

namespace lanescope::session {

// Where the registers of a kernel come from; they limit the blocks on a multiprocessor.
enum class RegisterSource : std::uint8_t { recorded, assembler, assumed };

struct ClockedLaunch {
    std::string kernel;
    gpu::LaunchOccupancy occupancy;
    RegisterSource source = RegisterSource::assumed;
};

struct ClockReading {
    std::string device;
    analysis::CyclesEstimate estimate;
    std::vector<ClockedLaunch> launches;  // beside those of the estimate
    lesson::ParameterValues parameters;   // as they were asked for
    // Those of the run that was traced, if its grid is smaller; else empty.
    lesson::ParameterValues traced;
    double run_ms = 0, estimate_ms = 0;  // wall time
};

// What the clock needs of one file: a recorded run, which can be estimated several times.
class Clock {
  public:
    // Runs the file with optimised code, recording some blocks of each grid. A grid that is too large for
    // that runs smaller, if one parameter makes only the grid larger. `recorded` has registers of kernels; it
    // may be null. Errors: those of execution::record().
    static Result<Clock> wind(execution::RunRequest request, const analysis::DeviceModel& device,
                              const Timings* recorded, const std::atomic<bool>* cancel = nullptr);
    // `most_intervals`: of warps, to keep.
    ClockReading read(const analysis::DeviceModel& device, std::size_t most_intervals = 0) const;

  private:
    ClockReading facts_;  // without the estimate
    std::shared_ptr<const analysis::CyclesInput> input_;
    std::vector<double> scales_;  // of each launch: how many times as large it is as the one that ran
};

// The blocks of a grid that stand for all of it: all of a small one; else the first, the last and some
// between.
std::vector<std::uint32_t> sampled_blocks(std::uint64_t grid);

std::string to_text(const ClockReading& reading, const std::string& source);
nlohmann::ordered_json to_json(const ClockReading& reading);

}  // namespace lanescope::session
