// Runs a program on a device with instrumented code and records what its threads did, as simt::Machine does
// on the CPU.
//
// Every launch runs twice: the first run only counts the records of each thread, so that the second one can
// be given room for them; memory is put back in between. When not all blocks fit, as many as fit are
// recorded, and the launch says which.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/traced/launch_decoder.h"
#include "gpu/traced/trace_device.h"
#include "ptx/module.h"
#include "simt/launch/launch.h"
#include "simt/machine/machine.h"
#include "trace/recorder.h"
#include "trace/streams.h"

namespace lanescope::gpu {

struct TracedLimits {
    double seconds = 60;                          // of one launch
    std::uint64_t decoded_records = 16ull << 20;  // of one launch: what goes into the trace
    std::uint64_t memory_bytes = 4ull << 30;      // of buffers
};

class TracedEngine {
  public:
    // Errors: code that cannot be recorded (see make_probes); the device does not take it. `device` outlives
    // the engine.
    static Result<TracedEngine> create(std::shared_ptr<const ptx::Module> module,
                                       std::shared_ptr<const simt::Program> program, const std::string& file,
                                       TraceDevice& device, TracedLimits limits);
    ~TracedEngine();
    TracedEngine(TracedEngine&&) noexcept;

    // As of simt::Machine; addresses are the device's.
    Result<simt::DeviceAddress> allocate(std::uint64_t size_bytes, trace::Symbol description);
    Result<simt::Machine::SymbolAddress> symbol(std::string_view name) const;
    Result<void> write(simt::DeviceAddress address, std::span<const std::byte> bytes);
    Result<void> read(simt::DeviceAddress address, std::span<std::byte> bytes, std::span<bool> set) const;
    void record_into(trace::Recorder* recorder);  // before the first launch; must not be null
    Result<simt::Outcome> launch(const simt::LaunchRequest& request, const std::atomic<bool>* cancel);
    std::uint32_t launch_count() const;
    const std::vector<trace::Problem>& problems() const;
    const std::string& console() const;

    // Of the last launch. Streams are the device's own: addresses and register numbers are raw.
    const trace::RecordStreams& streams() const;
    const DecodedLaunch& decoded() const;
    // All that the device holds of it; the streams above are those of the blocks that are in the trace.
    const DeviceRecords& records() const;
    // What the trace does not tell: blocks and threads that are missing, accesses that could not be placed.
    // One sentence each.
    const std::vector<std::string>& notes() const;

  private:
    struct State;
    explicit TracedEngine(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::gpu
