// The CPU SIMT machine: runs a PTX module exactly, 32 lanes in lockstep, and reports every fault as data.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "simt/launch/launch.h"
#include "simt/launch/schedule.h"
#include "simt/texture/texture.h"
#include "trace/recorder.h"

namespace lanescope::simt {

struct Program;       // the decoded module; program/program.h
struct DeviceMemory;  // memory/memory.h

class Machine {
  public:
    // Machines that share a memory run one after the other; `memory` may be null. The program was loaded for
    // the place where the memory ends; see Placement.
    Machine(std::shared_ptr<const Program> program, Limits limits, Schedule schedule,
            std::shared_ptr<DeviceMemory> memory = nullptr);
    ~Machine();

    // Host side. A buffer is surrounded by unmapped guard space; its contents start unset (poison).
    // Errors: the memory limit.
    Result<DeviceAddress> allocate(std::uint64_t size_bytes, trace::Symbol description);
    // The same as a kernel's own allocations: other gaps between them.
    Result<DeviceAddress> allocate_for_kernel(std::uint64_t size_bytes, trace::Symbol description);
    // Module-scope variables by source or mangled name: address and size. Error: no such variable.
    struct SymbolAddress {
        DeviceAddress address = 0;
        std::uint64_t size_bytes = 0;
    };
    Result<SymbolAddress> symbol(std::string_view name) const;
    // The handle of a texture object, for the arguments of kernels.
    std::uint64_t add_texture(const Texture& texture);
    Result<void> write(DeviceAddress address, std::span<const std::byte> bytes);
    // `set` (may be empty) gets one flag per byte.
    Result<void> read(DeviceAddress address, std::span<std::byte> bytes, std::span<bool> set = {}) const;

    // Takes another program of the same module, loaded for the same placement: its steps may be those of
    // another file. Call it between launches.
    void replace_program(std::shared_ptr<const Program> program);

    // Sets the recorder of the trace; null for an untraced run. Set it after the buffers are allocated and
    // written. One that takes slices is restarted; it must have the program already.
    void record_into(trace::Recorder* recorder);

    // Runs one launch, and the grids that it launches, to their end. Configuration errors become a
    // launch_config problem and Ending::refused. `cancel` may be null. `progress` gets the
    // number of warp instructions from time to time; may be empty.
    Outcome launch(const LaunchRequest& request, const std::atomic<bool>* cancel = nullptr,
                   const std::function<void(std::uint64_t)>& progress = {});

    // Launches so far, those by kernels included; also the number of the next one in problems and the trace.
    std::uint32_t launch_count() const;
    const std::vector<trace::Problem>& problems() const;
    // How a launch by a kernel that had problems is called: "child (from parent, block 3)"; empty for others.
    std::string label_of(std::uint32_t launch) const;
    const std::string& console() const;
    // Launches by kernels in recorded turns, except tail launches.
    const std::vector<trace::GridOrigin>& origins() const;
    // Forgets problems and output, so that those of the next launch stand alone.
    void clear_findings();
    // Turns of a thread schedule that were left when all threads had ended.
    std::uint64_t turns_left() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::simt
