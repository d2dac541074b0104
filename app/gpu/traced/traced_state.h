// What a traced engine holds; its functions are in traced_engine.cpp, traced_memory.cpp and
// traced_records.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "gpu/traced/memory_image.h"
#include "gpu/traced/probes.h"
#include "gpu/traced/traced_engine.h"
#include "ptx/instrument.h"
#include "simt/memory/memory.h"

namespace lanescope::gpu {

struct TracedBuffer {
    std::uint64_t address = 0, size_bytes = 0;  // on the device
    simt::DeviceAddress mirror = 0;             // where the CPU machine would have it: the trace's addresses
    std::uint64_t saved = 0;                    // its contents before the launch; 0: no room was made
    bool variable = false;                      // of the module, not allocated
    std::uint64_t cell_bytes = 1;               // written as a whole
};

struct TracedEngine::State {
    std::shared_ptr<const ptx::Module> module;
    std::shared_ptr<const simt::Program> program;
    TraceDevice& device;
    TracedLimits limits;
    Probes probes;
    simt::Machine mirror;  // lays out memory and knows which bytes are set; nothing runs on it
    trace::Recorder* recorder = nullptr;
    std::vector<TracedBuffer> buffers;
    MemoryImage global, constant;
    std::uint64_t probe_state = 0;  // address
    enum class Use : std::uint8_t { cursors, slots };
    std::map<std::pair<Use, std::uint64_t>, std::uint64_t> scratch;  // by use and size class
    DeviceRecords records;
    std::vector<std::uint32_t> traced;  // blocks of the last launch that are in the trace
    std::uint64_t grid_barrier = 0;     // in the mirror; made for the first cooperative launch
    trace::RecordStreams streams;
    DecodedLaunch decoded;
    bool narrowed_now = false;            // the last launch
    std::uint64_t unexplained_bytes = 0;  // of the last launch
    std::uint32_t launches = 0;
    bool memory_lost = false;  // with the device's context, after a fault or a kernel that does not end
    std::vector<trace::Problem> problems;
    std::vector<std::string> notes;
    std::string console;

    State(std::shared_ptr<const ptx::Module> the_module, std::shared_ptr<const simt::Program> the_program,
          TraceDevice& the_device, TracedLimits the_limits, Probes the_probes)
        : module(std::move(the_module)),
          program(the_program),
          device(the_device),
          limits(the_limits),
          probes(std::move(the_probes)),
          mirror(std::move(the_program), {.memory_bytes = the_limits.memory_bytes}, {}) {}

    Result<void> find_variables();
    const TracedBuffer* find(std::uint64_t address, std::uint64_t size_bytes) const;
    MemoryImage& image(const TracedBuffer& buffer) {
        return simt::window_of(buffer.mirror) == simt::Window::constant ? constant : global;
    }
    static std::uint64_t offset(const TracedBuffer& buffer) {
        return buffer.mirror - simt::window_start(simt::window_of(buffer.mirror));
    }

    Result<std::uint64_t> room(Use use, std::uint64_t size_bytes);
    Result<void> fill_images();
    Result<void> read_variables();
    void note_launch(const simt::LaunchRequest& request);
    Result<void> save(bool back);
    Result<void> set_probe_state(const ptx::ProbeState& value);
    Result<TraceDevice::Ran> run(const simt::LaunchRequest& request, const std::atomic<bool>* cancel);
    Result<TraceDevice::Ran> count(const simt::LaunchRequest& request, const std::atomic<bool>* cancel,
                                   std::vector<std::uint32_t>& counts);
    static std::vector<std::uint32_t> blocks_that_fit(const std::vector<std::uint32_t>& wanted,
                                                      const std::vector<std::uint32_t>& counts,
                                                      std::uint32_t block_threads, std::uint64_t room_for,
                                                      std::uint32_t& capacity);
    Result<void> read_starts();
    void find_clock_offsets();
    void describe_registers();
    Result<void> read_streams();
    Result<void> make_grid_barrier();
    void choose_blocks(const simt::LaunchRequest& request, const std::vector<std::uint32_t>& counts);
    Result<TraceDevice::Ran> record(const simt::LaunchRequest& request, const std::atomic<bool>* cancel);
    Result<void> decode(const simt::LaunchRequest& request, const simt::Kernel& kernel);
    Result<void> adopt_memory();
    void note(trace::ProblemKind kind, const simt::LaunchRequest& request, const std::string& message);
};

}  // namespace lanescope::gpu
