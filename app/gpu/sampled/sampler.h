// Samples of program counters while unchanged code runs: every few cycles each scheduler of each
// multiprocessor reports where one of its warps stands, and what it waits for. The share of a line in the
// samples is its share of the warps' time.
// Source: NVIDIA, CUPTI documentation, "PC Sampling".
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/driver/context.h"

namespace lanescope::gpu {

// Samples of one source line in one kernel.
struct SampledLine {
    std::string kernel;  // symbol
    std::string file;    // as the compiler was given it; empty: the code has no line there
    int line = 0;        // from 1; 0: not known
    std::uint64_t samples = 0;
    std::map<std::string, std::uint64_t> stalls;  // by StallReason::name; they add up to `samples`
};

struct Samples {
    std::uint64_t taken = 0;      // in the kernels; the sum over the lines
    std::uint64_t seen = 0;       // all that CUPTI counted: also dropped ones and those elsewhere
    std::uint64_t dropped = 0;    // lost because they came too fast
    std::uint64_t elsewhere = 0;  // in the driver's own kernels, such as those that fill memory
    int period_log2 = 0;          // cycles between two samples of a multiprocessor, as a power of two
    std::vector<SampledLine> lines;
};

// Returns the period, as a power of two, that takes about `wanted` samples in `milliseconds` of work.
int period_for(double milliseconds, int multiprocessors, double wanted);

class Sampler {
  public:
    // Begins to sample the context's kernels; code has to be loaded after this call. Errors: those of
    // Cupti::open(); the driver forbids it; another program profiles the GPU.
    static Result<Sampler> start(const Context& context, int period_log2);
    // Ends sampling; the context's work must have ended. `cubin`: the code whose lines are looked up.
    Result<Samples> stop(std::span<const char> cubin);

    Sampler(Sampler&&) noexcept;
    Sampler& operator=(Sampler&&) = delete;
    ~Sampler();

  private:
    struct State;
    explicit Sampler(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::gpu
