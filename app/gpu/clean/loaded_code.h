// A program's machine code on a device: its kernels and their requirements, its variables, and launches on
// buffers whose addresses the caller knows.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "gpu/clean/clean_program.h"
#include "gpu/clean/occupancy.h"
#include "gpu/driver/context.h"

namespace lanescope::gpu {

class LoadedCode {
  public:
    LoadedCode() = default;
    // Error: the driver refuses the code. The context outlives this and has to be current on the thread.
    static Result<LoadedCode> load(const Context& context, std::span<const char> cubin);
    ~LoadedCode();
    LoadedCode(LoadedCode&& other) noexcept;
    LoadedCode& operator=(LoadedCode&& other) noexcept;

    // Prepares a launch; called before its first run. Errors: the code lacks the kernel; a launch that the
    // device cannot take (too many threads, too much shared memory, a cooperative grid that is not resident
    // as a whole).
    Result<void> prepare(const CleanLaunch& launch);
    // The launch was prepared. The number of blocks is the driver's; the limiter is "other" where it is
    // not the calculated one. Error: the driver's.
    Result<LaunchOccupancy> occupancy(const CleanLaunch& launch) const;
    // Error: the code has no such module-scope variable.
    Result<Place> variable(const std::string& symbol) const;
    // Enqueued on the context's stream; `buffers` in the order of the program's.
    Result<void> launch(const CleanLaunch& launch, std::span<const Place> buffers) const;

  private:
    Result<void> check_cooperative(const CleanLaunch& launch, CUfunction function) const;
    void release();

    const Context* context_ = nullptr;
    std::shared_ptr<ContextLife> life_;
    CUmodule module_ = nullptr;
    std::map<std::string, CUfunction> kernels_;
};

}  // namespace lanescope::gpu
