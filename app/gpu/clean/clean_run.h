// Clean runs: optimised machine code, untouched, launched through the driver on real buffers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "gpu/clean/clean_program.h"
#include "gpu/clean/occupancy.h"
#include "gpu/clean/timing.h"
#include "gpu/driver/context.h"
#include "gpu/driver/memory.h"

namespace lanescope::gpu {

// One program on a device, with as many rotating copies of its buffers as the L2 cache asks for. Module-scope
// variables exist once.
class CleanRun {
  public:
    // Errors: the driver's; a kernel or variable that the code lacks; more memory than there is; a launch
    // that the device cannot take (too many threads, too much shared memory, a cooperative grid that is not
    // resident as a whole).
    static Result<CleanRun> make(Context& context, const CleanProgram& program);

    // Runs once to find what a run changes, then measures. Changed inputs are restored outside of the
    // measured times.
    Result<Timing> measure(const MeasureOptions& options = {});
    // Runs all launches once, untimed, and waits. Error: the work failed, or did not end in time.
    Result<void> run_once(const MeasureOptions& options);
    // Equal launches once, in order. Error: the driver's.
    Result<std::vector<LaunchOccupancy>> occupancy() const;
    // Reads a buffer of the program after the last run.
    Result<std::vector<std::byte>> result(std::size_t buffer) const;
    bool restores() const;  // whether a run changes its own inputs; known after measure()
    std::size_t copies() const { return copies_; }

    CleanRun(CleanRun&&) noexcept;
    CleanRun& operator=(CleanRun&&) = delete;
    ~CleanRun();

  private:
    struct State;
    CleanRun(std::unique_ptr<State> state, std::size_t copies);
    std::unique_ptr<State> state_;
    std::size_t copies_ = 1;
};

}  // namespace lanescope::gpu
