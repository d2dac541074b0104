// Runs a launch and looks for races in it, while it runs: within blocks and between blocks. The launch is
// recorded in slices of bounded size, which are searched and forgotten.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cudart/check/touched.h"
#include "simt/machine/machine.h"

namespace lanescope::cudart {

struct CheckLimits {
    std::uint64_t slice_bytes = 64ull << 20;
    std::uint64_t launch_bytes = 4ull << 30;  // recorded of a launch; what comes after is not examined
    std::uint64_t shadow_bytes = 1ull << 30;  // what is remembered of accesses
};

class LaunchCheck {
  public:
    // For launches of this program, which is that of the machine.
    LaunchCheck(std::shared_ptr<const simt::Program> program, const CheckLimits& limits);
    ~LaunchCheck();
    LaunchCheck(const LaunchCheck&) = delete;
    LaunchCheck& operator=(const LaunchCheck&) = delete;
    const std::shared_ptr<const simt::Program>& program() const;

    struct Findings {
        simt::Outcome outcome;
        std::vector<trace::Problem> races;  // `launch` of their sites: 0 the kernel's, then grids it launched
        std::vector<std::string> labels;    // of these launches
        std::string incomplete;             // what was not examined, in words
        Touched touched;                    // global and constant memory, if that was wanted
    };
    Findings run(simt::Machine& machine, const simt::LaunchRequest& request, bool wants_touched);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::cudart
