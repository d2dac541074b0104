#include "gpu/interop/live_gpu.h"

#include <optional>

#include "gpu/driver/context.h"
#include "gpu/interop/interop.h"
#include "gpu/traced/gpu_trace_device.h"

namespace lanescope::gpu {

struct LiveGpu::State {
    explicit State(Context made) : context(std::move(made)) {}
    Context context;
    std::optional<GlBuffer> shared;
    std::unique_ptr<GpuTraceDevice> device;
    bool in_gl = false;
};

LiveGpu::LiveGpu(std::unique_ptr<State> state) : state_(std::move(state)) {}
LiveGpu::~LiveGpu() = default;

Result<std::unique_ptr<LiveGpu>> LiveGpu::open() {
    Result<Context> context = Context::create();
    if (!context) return context.diagnostics();
    return std::unique_ptr<LiveGpu>(new LiveGpu(std::make_unique<State>(std::move(*context))));
}

const std::string& LiveGpu::name() const {
    return state_->context.device().name;
}

std::uint64_t LiveGpu::free_bytes() const {
    const CurrentContext current(*state_->context.life());
    std::size_t free_now = 0, total = 0;
    if (state_->context.driver().mem_get_info(&free_now, &total) != CUDA_SUCCESS) return 0;
    return free_now;
}

Result<void> LiveGpu::use_gl_buffer(unsigned gl_buffer) {
    state_->device.reset();
    state_->shared.reset();
    const CurrentContext current(*state_->context.life());
    Result<GlBuffer> shared =
        GlBuffer::register_buffer(state_->context, gl_buffer, GlAccess::kernel_overwrites);
    if (!shared) return shared.diagnostics();
    state_->shared = std::move(*shared);
    return {};
}

Result<TraceDevice*> LiveGpu::begin_run() {
    State& state = *state_;
    RecordRegion region;
    const CurrentContext current(*state.context.life());
    if (state.shared && !state.shared->mapped()) {
        const Result<GlBuffer::Mapping> mapped = state.shared->map(state.context.stream());
        if (!mapped) return mapped.diagnostics();
        region = {mapped->address, mapped->size_bytes};
    }
    state.in_gl = region.size_bytes != 0;
    state.device = std::make_unique<GpuTraceDevice>(state.context, region);
    return static_cast<TraceDevice*>(state.device.get());
}

Result<void> LiveGpu::end_run() {
    State& state = *state_;
    if (!state.shared || !state.shared->mapped()) return {};
    const CurrentContext current(*state.context.life());
    return state.shared->unmap(state.context.stream());
}

bool LiveGpu::records_in_gl() const {
    return state_->in_gl;
}

}  // namespace lanescope::gpu
