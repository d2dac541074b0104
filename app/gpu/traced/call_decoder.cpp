#include "gpu/traced/call_decoder.h"

#include <algorithm>
#include <utility>

#include "simt/state/child_launches.h"

namespace lanescope::gpu {

using simt::Builtin;
using trace::Record;
using trace::RecordKind;

namespace {

constexpr std::uint64_t tail_stream = 3;  // cudaStreamTailLaunch

std::uint32_t low(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
}

}  // namespace

void CallDecoder::run(const DecodedStep& step) {
    const auto probe = code_.probes.calls.find(step.pc);
    if (probe == code_.probes.calls.end()) return;
    if (probe->second.result)
        results(step, probe->second.builtin);
    else
        arguments(step, probe->second.builtin);
}

void CallDecoder::arguments(const DecodedStep& step, Builtin builtin) {
    const OperandValues values = take_operands(step, streams_, code_.probes.operands[step.pc]);
    each_lane(values.lanes, [&](unsigned number) {
        if (builtin == Builtin::release) {
            accesses_.remove_range(values.of[0][number]);
            return memory_.released(values.of[0][number]);
        }
        if (builtin == Builtin::launch_device)
            return launch(step, values.of[0][number], values.of[1][number]);
        std::vector<std::uint64_t>& open = open_[step.warp.lanes[number]];
        open.clear();
        for (const auto& each : values.of)
            open.push_back(each[number]);
    });
}

void CallDecoder::results(const DecodedStep& step, Builtin builtin) {
    each_lane(step.active, [&](unsigned number) {
        Lane& lane = *step.warp.lanes[number];
        const Record* first_slot =
            builtin == Builtin::parameter_buffer ? lane.take(streams_, RecordKind::access, step.pc) : nullptr;
        const Record* result = lane.take(streams_, RecordKind::access, step.pc);
        if (result == nullptr || result->value == 0) return;
        if (builtin == Builtin::allocate) return allocate(step, number, result->value);
        if (first_slot != nullptr) prepare(step, number, result->value, first_slot->value);
    });
}

void CallDecoder::allocate(const DecodedStep& step, unsigned lane, std::uint64_t address) {
    const auto call = open_.find(step.warp.lanes[lane]);
    if (call == open_.end() || call->second.empty()) return;
    if (const auto range = memory_.allocated(address, call->second[0], recorder_))
        accesses_.insert_range(*range);
}

// The arguments of cudaGetParameterBufferV2: the kernel, the grid, the block, bytes of shared memory.
void CallDecoder::prepare(const DecodedStep& step, unsigned lane, std::uint64_t buffer,
                          std::uint64_t first_slot) {
    constexpr std::size_t count = 8;
    const auto call = open_.find(step.warp.lanes[lane]);
    if (call == open_.end() || call->second.size() < count) return;
    const std::vector<std::uint64_t>& given = call->second;
    const auto function = kernels_.find(given[0]);
    if (function == kernels_.end()) return;
    DecodedChild child;
    child.kernel = code_.program.find_kernel(code_.program.functions[function->second].symbol);
    if (child.kernel == nullptr) return;
    child.grid = {low(given[1]), low(given[2]), low(given[3])};
    child.block = {low(given[4]), low(given[5]), low(given[6])};
    child.shared_bytes = low(given[7]);
    child.first_slot = first_slot;
    child.parent_block = step.warp.block;
    const auto range = memory_.arguments(buffer, simt::parameter_buffer_bytes(*child.kernel), recorder_);
    if (!range) return;
    child.arguments = range->offset;
    accesses_.insert_range(*range);
    prepared_[buffer] = child;
}

void CallDecoder::launch(const DecodedStep&, std::uint64_t buffer, std::uint64_t stream) {
    const auto found = prepared_.find(buffer);
    if (found == prepared_.end()) return;
    found->second.tail = stream == tail_stream;
    found->second.turn = recorder_.turn_count() - 1;
    result_.children.push_back(found->second);
    prepared_.erase(found);
}

}  // namespace lanescope::gpu
