#include "gpu/interop/live_gpu.h"

#include "gpu/driver/context.h"
#include "gpu/traced/gpu_trace_device.h"

namespace lanescope::gpu {

struct LiveGpu::State {
    explicit State(Context made) : context(std::move(made)) {}
    Context context;
    std::unique_ptr<GpuTraceDevice> device;
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

TraceDevice& LiveGpu::begin_run() {
    state_->device.reset();
    state_->device = std::make_unique<GpuTraceDevice>(state_->context);
    return *state_->device;
}

}  // namespace lanescope::gpu
