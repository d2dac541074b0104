// The GPU's performance counters while unchanged code runs, launch by launch. The profiler runs each launch
// as often as its counters need, and restores the memory in between.
// Source: NVIDIA, CUPTI documentation, "Range Profiling API".
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/driver/context.h"

namespace lanescope::gpu {

using CounterValues = std::map<std::string, double>;  // by NVIDIA's name: "smsp__inst_executed.sum"

class RangeCounter {
  public:
    // Begins to count the launches in the context, at most `launches`. Counters that this GPU does not have
    // are left out. Errors: no CUPTI, or one without range profiling; the driver forbids it; another program
    // profiles the GPU; none of the counters exists.
    static Result<RangeCounter> start(const Context& context, std::span<const std::string> counters,
                                      std::size_t launches);
    // Ends counting; the context's work must have ended. Returns the values of each launch, in order.
    Result<std::vector<CounterValues>> stop();
    std::size_t passes() const;  // that the profiler needs: it runs each launch so often

    RangeCounter(RangeCounter&&) noexcept;
    RangeCounter& operator=(RangeCounter&&) = delete;
    ~RangeCounter();

  private:
    struct State;
    explicit RangeCounter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::gpu
