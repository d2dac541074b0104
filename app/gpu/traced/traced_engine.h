// Runs a program on a device with instrumented code and records what its threads did, as simt::Machine does
// on the CPU.
//
// Every launch runs twice: the first run only counts the records of each thread, so that the second one can
// be given room for them; memory is restored in between. If not all blocks fit, as many as fit are
// recorded, and the launch names them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "gpu/traced/launch_recorder.h"
#include "gpu/traced/probes.h"
#include "gpu/traced/trace_device.h"
#include "gpu/traced/traced_memory.h"
#include "ptx/module.h"
#include "simt/launch/launch.h"
#include "simt/machine/machine.h"
#include "trace/recorder.h"
#include "trace/streams.h"

namespace lanescope::gpu {

// The end of the message of a GPU's fault, if its records do not show the line.
constexpr std::string_view ask_the_cpu = "; the CPU engine names the thread and the line";

class TracedEngine {
  public:
    // Errors: code that cannot be recorded (see make_probes, also for `kernel`); the device does not take it.
    // `device` outlives the engine.
    static Result<TracedEngine> create(std::shared_ptr<const ptx::Module> module,
                                       std::shared_ptr<const simt::Program> program, const std::string& file,
                                       TraceDevice& device, TracedLimits limits,
                                       const std::string& kernel = "");

    // As of simt::Machine; addresses are the device's.
    Result<simt::DeviceAddress> allocate(std::uint64_t size_bytes, trace::Symbol description);
    Result<simt::Machine::SymbolAddress> symbol(std::string_view name) const;
    // The handle of a texture object over memory of the engine. Error: the device cannot make it.
    Result<std::uint64_t> add_texture(const simt::Texture& texture);
    Result<void> write(simt::DeviceAddress address, std::span<const std::byte> bytes);
    Result<void> read(simt::DeviceAddress address, std::span<std::byte> bytes, std::span<bool> set) const;
    // For launches of a program that has its own memory: the engine uses the memory as it is, and knows it
    // under these addresses; before record_into(). restore() gives it back what it held before the last
    // launch.
    Result<void> take(std::uint64_t address, std::uint64_t size_bytes, trace::Symbol description) {
        return memory_->take(address, size_bytes, std::move(description));
    }
    Result<std::uint64_t> take_array(ProgramArrays& arrays, std::uint64_t handle, const simt::Image& image,
                                     bool changes, trace::Symbol description) {
        return memory_->take_array(arrays, handle, image, changes, std::move(description));
    }
    // Objects that the device has already, over memory that the engine has taken. False: it has not.
    bool take_texture(std::uint64_t handle, simt::Texture texture);
    bool take_surface(std::uint64_t handle, simt::Image image);
    std::uint64_t in_trace(std::uint64_t address) const { return memory_->in_trace(address); }
    Result<void> restore() { return memory_->restore(); }
    // Whether launches run only once, because threads take memory that cannot be given back.
    bool runs_once() const { return probes_.allocates; }
    void record_into(trace::Recorder* recorder);  // before the first launch; must not be null
    Result<simt::Outcome> launch(const simt::LaunchRequest& request, const std::atomic<bool>* cancel);
    std::uint32_t launch_count() const { return launches_; }
    const std::vector<trace::Problem>& problems() const { return problems_; }
    const std::string& console() const { return console_; }

    // Once per launch: what the threads of the blocks in the trace recorded, of the grid and then of the
    // grids that it launched. Addresses and register numbers are the device's own.
    std::vector<trace::RecordStreams> take_streams() { return std::exchange(streams_, {}); }
    const std::vector<trace::GridOrigin>& origins() const { return origins_; }  // of launches by kernels
    // All that the device holds of the last launch, once.
    DeviceRecords take_records() { return std::exchange(recorder_->records(), {}); }
    // Sentences about what the trace lacks: missing blocks and threads, accesses that could not be placed.
    const std::vector<std::string>& notes() const { return notes_; }

  private:
    TracedEngine(std::shared_ptr<const ptx::Module> module, std::shared_ptr<const simt::Program> program,
                 TraceDevice& device, TracedLimits limits, Probes probes);
    Result<TraceDevice::Ran> run(const simt::LaunchRequest& request, const std::atomic<bool>* cancel);
    simt::LaunchRequest on_device(const simt::LaunchRequest& request, const simt::Kernel& kernel) const;
    void take_whole_clusters(simt::LaunchRequest& request, const simt::Kernel& kernel) const;
    Result<void> decode(const simt::LaunchRequest& request, const simt::Kernel& kernel,
                        trace::RecordStreams streams, simt::Outcome* total, std::uint32_t level = 0);
    bool knows_memory(const simt::LaunchRequest& request) const;
    void add_outside(const trace::Launch& launch, std::uint64_t first_turn);
    void note_launch(const simt::LaunchRequest& request, std::uint64_t traced);
    void note_memory(std::uint32_t launch, std::uint64_t unexplained_bytes);
    void add_problem(trace::ProblemKind kind, const simt::LaunchRequest& request, const std::string& message,
                     const trace::ProblemSite& site);
    void add_ending(const TraceDevice::Ran& ran, const simt::LaunchRequest& request,
                    const simt::Kernel& kernel);
    bool recover(const simt::LaunchRequest& request, const simt::Kernel& kernel, simt::Ending ending);
    std::optional<Stop> judged_stop(const simt::LaunchRequest& request) const;

    std::shared_ptr<const ptx::Module> module_;
    std::shared_ptr<const simt::Program> program_;
    TraceDevice* device_;
    Probes probes_;
    std::unique_ptr<TracedMemory> memory_;
    std::unique_ptr<LaunchRecorder> recorder_;
    trace::Recorder* trace_ = nullptr;
    ImageTable images_;
    DecodedLaunch decoded_;                      // the last grid
    std::vector<trace::RecordStreams> streams_;  // of the last launch
    std::vector<trace::GridOrigin> origins_;
    bool all_traced_ = true;           // every block of the last launch
    std::uint64_t missing_grids_ = 0;  // of its family
    std::uint32_t launches_ = 0;
    std::vector<trace::Problem> problems_;
    std::vector<std::string> notes_;
    std::string console_;
};

}  // namespace lanescope::gpu
