#include "ui/window/gpu_link.h"

#include <algorithm>

#include "ui/threads/gpu_streams.h"

namespace lanescope::ui {
namespace {

// Records take at most an eighth of the free memory, and at most this many bytes.
constexpr std::uint64_t max_record_bytes = 2ull << 30;

}  // namespace

std::string GpuLink::name() const {
    return gpu_ ? gpu_->name() : std::string();
}

Result<void> GpuLink::open() {
    if (gpu_) return {};
    Result<std::unique_ptr<gpu::LiveGpu>> opened = gpu::LiveGpu::open();
    if (!opened) return opened.diagnostics();
    gpu_ = std::move(*opened);
    share_buffer();
    return {};
}

// If the GPU cannot share a buffer, records go through the host, and the window shows the reason.
void GpuLink::share_buffer() {
    const std::uint64_t bytes =
        std::min({gpu_->free_bytes() / 8, max_record_bytes, render::largest_buffer_bytes()}) / 16 * 16;
    Result<render::Buffer> made = render::Buffer::create(bytes, "the threads' records");
    Result<void> window = made ? gpu_->use_gl_buffer(made->name()) : Result<void>(made.diagnostics());
    if (window)
        records_ = std::make_shared<const render::Buffer>(std::move(*made));
    else
        window_.note = "records are copied through the host: " + window.diagnostics().front().message;
}

Result<gpu::TraceDevice*> GpuLink::begin_run() {
    if (Result<void> opened = open(); !opened) return opened.diagnostics();
    window_.gpu_streams.clear();  // the run overwrites their records
    return gpu_->begin_run();
}

void GpuLink::end_run(const session::RunResult* result) {
    Result<void> ended = gpu_->end_run();
    if (ended && result != nullptr) ended = show(*result);
    if (!ended) window_.note = ended.diagnostics().front().message;
}

Result<void> GpuLink::show(const session::RunResult& result) {
    if (!result.device_records || !result.trace || !records_ || !gpu_->records_in_gl()) return {};
    const gpu::DeviceRecords& made = *result.device_records;
    if (made.launch >= result.trace->launches.size()) return {};
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
    window_.gpu_streams.push_back(std::move(streams));
    return {};
}

}  // namespace lanescope::ui
