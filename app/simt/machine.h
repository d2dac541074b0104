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
#include "ptx/debug_info.h"
#include "ptx/module.h"
#include "simt/thread_schedule.h"
#include "trace/recorder.h"

namespace lanescope::simt {

struct Limits {
    std::uint64_t warp_instructions = 2'000'000'000;
    double seconds = 60;
    std::uint64_t memory_bytes = 4ull << 30;  // global, shared and local memory together
    std::uint32_t problems = 100;             // distinct ones; more are counted
    std::uint64_t console_bytes = 1ull << 20;
    // Threads that may run the blocks of a launch of which nothing is recorded; 0: one per core.
    std::uint32_t workers = 0;
};

struct Schedule {
    enum class Kind : std::uint8_t { round_robin, warp, seed, threads };
    Kind kind = Kind::round_robin;
    std::uint64_t seed = 0;
    // Blocks that are resident at a time, at most; the others follow in order. 0: all of a grid of up to 64
    // blocks, of a larger one as many as fit into the processor's cache, and more when those only wait for
    // others.
    std::uint32_t resident_blocks = 0;
    // threads: who takes its turns, over all launches; see thread_schedule.h.
    std::vector<ThreadTurns> turns;
    ThreadChooser* chooser = nullptr;  // threads: decides instead of `turns`; outlives the machine
};
Result<Schedule> parse_schedule(std::string_view text);  // "rr", "warp", "seed:N", "threads:0*3,1,2.5"
std::string to_text(const Schedule& schedule);           // what parse_schedule() reads

struct Program;  // the decoded module; simt/program.h

// A decoded module, shared by machines. Errors: instructions that are not supported, each located in the PTX
// and, where known, in the source. `source_text` and `user_file` go into the trace.
Result<std::shared_ptr<const Program>> load(const ptx::Module& module, const ptx::DebugInfo& debug,
                                            const std::string& ptx_text, const std::string& user_file,
                                            const std::string& source_text);

struct KernelInfo {
    std::string symbol;  // mangled
    std::string name;    // demangled, without parameters: "reduce<int, Plus>"
    std::vector<ptx::Variable> parameters;
    std::uint32_t static_shared_bytes = 0;
};
std::vector<KernelInfo> kernels(const Program& program);

struct LaunchRequest {
    std::string kernel;  // KernelInfo::symbol
    std::string label;   // as the front matter names it, for messages and the trace
    trace::Dim3 grid, block;
    std::uint64_t dynamic_shared_bytes = 0;
    std::vector<std::vector<std::byte>> arguments;  // one per parameter, already of the parameter's size
    std::vector<std::uint32_t> recorded_blocks;     // empty: all
    bool cooperative = false;                       // all blocks resident; the grid can synchronise
    std::uint32_t resident_blocks = 0;              // at most, at a time; 0: as the schedule says
};

enum class Ending : std::uint8_t { finished, faulted, step_limit, timeout, deadlock, cancelled, refused };

struct Outcome {
    Ending ending = Ending::finished;
    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;
};

using DeviceAddress = std::uint64_t;

class Machine {
  public:
    Machine(std::shared_ptr<const Program> program, Limits limits, Schedule schedule);
    ~Machine();

    // Host side. A buffer is surrounded by unmapped guard space; its contents start unset (poison).
    // Errors: the memory limit.
    Result<DeviceAddress> allocate(std::uint64_t size_bytes, trace::Symbol description);
    // Module-scope variables by source or mangled name: address and size. Error: no such variable.
    struct SymbolAddress {
        DeviceAddress address = 0;
        std::uint64_t size_bytes = 0;
    };
    Result<SymbolAddress> symbol(std::string_view name) const;
    Result<void> write(DeviceAddress address, std::span<const std::byte> bytes);
    // `set` (may be empty) gets one flag per byte.
    Result<void> read(DeviceAddress address, std::span<std::byte> bytes, std::span<bool> set = {}) const;

    // Where the trace goes; null for an untraced run. Set it after the buffers are allocated and written.
    void record_into(trace::Recorder* recorder);

    // Runs one launch, and the grids that it launches, to their end. Configuration errors become a
    // launch_config problem and Ending::refused. `cancel` may be null. `progress` gets warp instructions so
    // far, now and then; may be empty.
    Outcome launch(const LaunchRequest& request, const std::atomic<bool>* cancel = nullptr,
                   const std::function<void(std::uint64_t)>& progress = {});

    // Launches so far, those by kernels included; also the number of the next one in problems and the trace.
    std::uint32_t launch_count() const;
    const std::vector<trace::Problem>& problems() const;
    const std::string& console() const;
    // Turns of a schedule of threads that nobody was left to take.
    std::uint64_t turns_left() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::simt
