#include "ui/window/gpu_link.h"

#include <algorithm>

#include "gpu/served/device_command.h"
#include "render/gl.h"
#include "ui/threads/gpu_streams.h"

namespace lanescope::ui {
namespace {

constexpr std::uint64_t max_record_bytes = 2ull << 30;

}  // namespace

Result<gpu::TraceDevice*> GpuLink::begin_run() {
    if (!device_ || place_ != wanted_) {
        device_.reset();
        Result<std::unique_ptr<gpu::ServedDevice>> made =
            gpu::make_served_device(wanted_.empty() ? "local" : wanted_, LANESCOPE_VERSION,
                                    std::min(max_record_bytes, render::largest_buffer_bytes()));
        if (!made) return made.diagnostics();
        device_ = std::move(*made);
        place_ = wanted_;
    }
    window_.gpu.streams.clear();  // the run overwrites their records
    if (records_) glFinish();     // what is drawn from them must be done
    return static_cast<gpu::TraceDevice*>(device_.get());
}

void GpuLink::end_run(const execution::RunResult* result) {
    name_ = device_->name();
    if (result == nullptr) return;
    const Result<void> drawn = show(*result);
    window_.gpu.records = drawn
                              ? "its records are drawn from the GPU's memory"
                              : "records are copied through the host: " + drawn.diagnostics().front().message;
}

// A process that adopts the records of the one before keeps them where OpenGL has them.
Result<void> GpuLink::import_records() {
    const std::shared_ptr<const gpu::ExportedMemory> now = device_->shared();
    if (now && now == shared_ && records_) return {};
    records_.reset();
    shared_ = now;
    if (!now) return error(device_->why_not_shared());
    Result<render::Buffer> made =
        render::Buffer::import(now->descriptor, now->size_bytes, now->device, "the threads' records");
    if (!made) return made.diagnostics();
    records_ = std::make_shared<const render::Buffer>(std::move(*made));
    return {};
}

Result<void> GpuLink::show(const execution::RunResult& result) {
    if (Result<void> imported = import_records(); !imported) return imported;
    if (!result.device_records || !result.trace) return {};
    const gpu::DeviceRecords& made = *result.device_records;
    if (made.launch >= result.trace->launches.size() || made.counts.empty()) return {};
    if (made.blocks.empty()) return {};  // of grids that launch grids, the records lie in another order
    Result<render::StreamBuffer> over = render::StreamBuffer::over(
        {static_cast<std::uint32_t>(made.blocks.size()), made.block_threads, made.capacity}, records_,
        made.counts);
    if (!over) return over.diagnostics();
    auto streams = std::make_shared<GpuStreams>();
    streams->trace = result.trace;
    streams->instructions = result.instructions;
    streams->launch = made.launch;
    streams->buffer = std::move(*over);
    streams->blocks = made.blocks;
    streams->variables = map_variables(result.trace->program, made.slot_registers);
    streams->clock_offsets = made.clock_offsets;
    streams->time_of_turn = made.turn_times;
    window_.gpu.streams.push_back(std::move(streams));
    return {};
}

}  // namespace lanescope::ui
