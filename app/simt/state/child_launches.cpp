#include "simt/state/child_launches.h"

#include <algorithm>

#include "simt/state/block.h"
#include "simt/state/faults.h"
#include "simt/state/launch_check.h"
#include "simt/state/launch_context.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

namespace {

constexpr std::uint64_t tail_stream = 3;  // cudaStreamTailLaunch
constexpr std::uint64_t buffer_guard_bytes = 256;

const Kernel* kernel_at(const Program& program, std::uint64_t address) {
    for (const Kernel& kernel : program.kernels)
        if (address == window::function + std::uint64_t{kernel.function} * 16) return &kernel;
    return nullptr;
}

}  // namespace

std::uint64_t parameter_buffer_bytes(const Kernel& kernel) {
    return std::max<std::uint64_t>(kernel.parameter_bytes, 8);
}

std::uint64_t ParameterBuffers::take(LaunchContext& run, std::uint64_t size_bytes) {
    run.note_side_effect(SideEffect::Place::heap);
    if (std::vector<std::uint64_t>& same = free_[size_bytes]; !same.empty()) {
        const std::uint64_t address = same.back();
        same.pop_back();
        return address;
    }
    trace::Symbol symbol;
    symbol.name = "arguments of a child grid";
    symbol.extents = {size_bytes};
    symbol.element = run.byte_type;
    Allocation* made = run.global.allocate(size_bytes, buffer_guard_bytes, std::move(symbol), run.budget);
    if (made == nullptr) return 0;
    if (run.recorder != nullptr) run.recorder->add_symbol(made->symbol);
    return made->region.base;
}

// Returns why the launch is impossible and the device runtime's error code; empty if it is possible.
std::string ChildLaunches::refusal(const LaunchContext& run, const ChildLaunch& child,
                                   std::uint32_t& code) const {
    if (child.kernel == nullptr) {
        code = device_error::invalid_device_function;
        return "launches an address that is not a kernel";
    }
    const std::string what = "launches " + child.kernel->info.name;
    if (level_ >= max_nesting) {
        code = device_error::launch_max_depth;
        return what + ": grids nest at most " + std::to_string(max_nesting) + " deep";
    }
    if (pending_ + prepared_.size() + launched_.size() >= max_pending_launches) {
        code = device_error::launch_pending_count;
        return what + ": " + std::to_string(max_pending_launches) +
               " launches are pending, the most that hardware keeps by default "
               "(cudaLimitDevRuntimePendingLaunchCount)";
    }
    LaunchRequest request;
    request.grid = child.grid;
    request.block = child.block;
    request.dynamic_shared_bytes = child.shared_bytes;
    for (const ptx::Variable& parameter : child.kernel->info.parameters)
        request.arguments.emplace_back(parameter.size_bytes());
    const std::string wrong = launch_error(run.program, *child.kernel, request);
    code = device_error::invalid_configuration;
    return wrong.empty() ? wrong : what + ": " + wrong;
}

std::uint32_t ChildLaunches::fail(const Warp& warp, unsigned lane, std::uint32_t code) {
    return errors_[{warp.block->index, warp.first_thread() + lane}] = code;
}

std::uint64_t ChildLaunches::prepare(Warp& warp, std::uint32_t pc, unsigned lane, std::uint64_t function,
                                     const ChildLaunch& wanted) {
    LaunchContext& run = *warp.run;
    ChildLaunch child = wanted;
    child.kernel = kernel_at(run.program, function);
    child.parent_block = warp.block->index;
    std::uint32_t code = 0;
    if (const std::string wrong = refusal(run, child, code); !wrong.empty()) {
        report(warp, trace::ProblemKind::launch_config, pc, lane_bit(lane), wrong);
        fail(warp, lane, code);
        return 0;
    }
    child.buffer = buffers_.take(run, parameter_buffer_bytes(*child.kernel));
    if (child.buffer == 0) {
        report(warp, trace::ProblemKind::launch_config, pc, lane_bit(lane),
               "launches " + child.kernel->info.name + ": there is no memory for its arguments");
        fail(warp, lane, device_error::memory_allocation);
        return 0;
    }
    prepared_[child.buffer] = child;
    return child.buffer;
}

std::uint32_t ChildLaunches::launch(Warp& warp, unsigned lane, std::uint64_t buffer, std::uint64_t stream) {
    const auto found = prepared_.find(buffer);
    if (found == prepared_.end()) return fail(warp, lane, device_error::invalid_value);
    found->second.tail = stream == tail_stream;
    if (warp.run->recorder != nullptr && warp.block->recorded)
        found->second.turn = warp.run->recorder->turn_count() - 1;
    launched_.push_back(found->second);
    prepared_.erase(found);
    return device_error::none;
}

std::uint32_t ChildLaunches::last_error(const Warp& warp, unsigned lane, bool clear) {
    const auto found = errors_.find({warp.block->index, warp.first_thread() + lane});
    if (found == errors_.end()) return device_error::none;
    const std::uint32_t code = found->second;
    if (clear) errors_.erase(found);
    return code;
}

std::vector<ChildLaunch> ChildLaunches::in_order() const {
    std::vector<ChildLaunch> order = launched_;
    std::stable_partition(order.begin(), order.end(), [](const ChildLaunch& child) { return !child.tail; });
    return order;
}

}  // namespace lanescope::simt
