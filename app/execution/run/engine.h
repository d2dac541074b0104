// What runs a program and records it: the CPU machine, or a device that runs instrumented code.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gpu/traced/trace_device.h"
#include "simt/launch/launch.h"
#include "simt/launch/schedule.h"
#include "simt/machine/machine.h"
#include "simt/texture/texture.h"
#include "trace/streams.h"

namespace lanescope::ptx {
struct Module;
}

namespace lanescope::execution {

// What the launches of an engine left behind.
struct EngineResults {
    std::vector<trace::Problem> problems;
    std::vector<trace::GridOrigin> origins;  // of launches by kernels
    std::string console;
    std::uint64_t turns_left = 0;    // of the schedule, which no thread was left to take
    std::vector<std::string> notes;  // what the trace of a device lacks, a sentence each
    // What the threads of each finished launch recorded on a device; without the records where they are too
    // large.
    std::vector<trace::RecordStreams> streams;
    std::shared_ptr<const gpu::DeviceRecords> records;  // of its last launch; null: the CPU machine ran it
};

// The functions are those of simt::Machine; addresses are the engine's own.
class Engine {
  public:
    virtual ~Engine() = default;
    virtual Result<simt::DeviceAddress> allocate(std::uint64_t size_bytes, trace::Symbol description) = 0;
    virtual Result<simt::Machine::SymbolAddress> symbol(std::string_view name) const = 0;
    // The handle of a texture object. Error: the engine has none.
    virtual Result<std::uint64_t> add_texture(const simt::Texture& texture) = 0;
    virtual Result<void> write(simt::DeviceAddress address, std::span<const std::byte> bytes) = 0;
    virtual Result<void> read(simt::DeviceAddress address, std::span<std::byte> bytes,
                              std::span<bool> set) const = 0;
    virtual void record_into(trace::Recorder* recorder) = 0;
    // Error: the engine itself failed; a mistake of the kernel is a problem.
    virtual Result<simt::Outcome> launch(const simt::LaunchRequest& request,
                                         const std::atomic<bool>* cancel) = 0;
    virtual std::uint32_t launch_count() const = 0;
    virtual EngineResults finish() = 0;  // once, after the last launch; memory can still be read
};

std::unique_ptr<Engine> make_machine_engine(std::shared_ptr<const simt::Program> program,
                                            const simt::Limits& limits, const simt::Schedule& schedule);
// Errors: those of gpu::TracedEngine::create.
Result<std::unique_ptr<Engine>> make_traced_engine(std::shared_ptr<const ptx::Module> module,
                                                   std::shared_ptr<const simt::Program> program,
                                                   const std::string& file, gpu::TraceDevice& device,
                                                   const simt::Limits& limits);

}  // namespace lanescope::execution
