// Clean runs: optimised machine code, untouched, launched through the driver on real buffers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/context.h"
#include "gpu/memory.h"
#include "gpu/timing.h"

namespace lanescope::gpu {

struct CleanBuffer {
    std::string name;
    std::string symbol;  // of a module-scope variable; empty: memory of its own
    std::uint64_t size_bytes = 0;
    std::span<const std::byte> contents;  // empty: not initialised; memory of its own then holds a pattern
};

struct CleanArgument {
    std::vector<std::byte> bytes;
    int buffer = -1;  // its address goes there
};

struct CleanLaunch {
    std::string kernel;  // symbol
    std::string label;   // for messages
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::uint64_t shared_bytes = 0;
    bool cooperative = false;
    std::vector<CleanArgument> arguments;
};

struct CleanProgram {
    std::span<const char> cubin;
    std::vector<CleanBuffer> buffers;
    std::vector<CleanLaunch> launches;  // in order
    // Module-scope variables that are no buffers: their contents are part of what a run may change.
    std::vector<std::string> variables;
};

// One program on a device, with as many rotating copies of its buffers as the L2 cache asks for. Module-scope
// variables exist once.
class CleanRun {
  public:
    // Errors: the driver's; a kernel or variable that the code lacks; more memory than there is; a launch
    // that the device cannot take (too many threads, too much shared memory, a cooperative grid that is not
    // resident as a whole).
    static Result<CleanRun> make(Context& context, const CleanProgram& program);

    // Runs once to see what a run changes, then measures. What reruns would find changed is restored outside
    // of the times.
    Result<Timing> measure(const MeasureOptions& options = {});
    // A buffer of the program as the last run left it.
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
