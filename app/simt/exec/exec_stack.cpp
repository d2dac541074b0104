// alloca, stacksave, stackrestore (PTX ISA 9.7.17) and parameters that lie in local memory because their
// address is taken (PTX ISA 5.1.6.4).
//
// The lanes of a frame share the size of its stack: an allocation is as large as the largest that a lane asks
// for, and memory is given back when all lanes of the frame restore the stack together, or when the function
// returns.
#include <algorithm>
#include <cstring>

#include "simt/exec/control_parts.h"
#include "simt/exec/executors.h"
#include "simt/program/frame_layout.h"
#include "simt/state/access.h"
#include "simt/state/async.h"
#include "simt/state/control.h"
#include "simt/state/faults.h"
#include "simt/state/launch_context.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Op;

namespace {

template <class L>
void allocate(Warp& warp, const Decoded& decoded, Mask mask) {
    const auto* size = warp.row<L>(decoded.a);
    std::uint64_t bytes = 0;
    for_each_lane(mask, [&](unsigned lane) { bytes = std::max<std::uint64_t>(bytes, size[lane]); });
    std::uint32_t base = 0;
    if (!warp.grow_stack(mask, bytes, static_cast<std::uint64_t>(decoded.imm), base))
        report(warp, trace::ProblemKind::out_of_bounds, warp.run->pc_of(decoded), mask,
               "overflowed the stack with an allocation of " + std::to_string(bytes) + " bytes");
    auto* out = warp.row<L>(decoded.dst);
    for_each_lane(mask, [&](unsigned lane) { out[lane] = base; });
}

template <class L>
void save(Warp& warp, const Decoded& decoded, Mask mask) {
    auto* out = warp.row<L>(decoded.dst);
    for_each_lane(mask, [&](unsigned lane) { out[lane] = warp.frame->local_end; });
}

template <class L>
void restore(Warp& warp, const Decoded& decoded, Mask mask) {
    Frame& frame = *warp.frame;
    const std::uint64_t end = warp.row<L>(decoded.a)[first_lane(mask)];
    const DecodedFunction& function = warp.run->program.functions[frame.function];
    if (end < frame.local_base + std::uint64_t{function.local_bytes} || end > frame.local_end)
        return report(warp, trace::ProblemKind::out_of_bounds, warp.run->pc_of(decoded), mask,
                      "restored the stack to a place that it was not saved at");
    if (mask == frame.lanes) frame.local_end = static_cast<std::uint32_t>(end);
}

}  // namespace

void copy_parameter(Warp& warp, std::uint32_t pc, const Slot& slot, std::uint32_t offset) {
    const Frame& frame = *warp.frame;
    const std::byte* rows = frame.rows + ref_offset(slot.ref);
    for (std::uint32_t at = 0; at < slot.size_bytes; at += 16) {
        const std::uint32_t width = std::min(16u, slot.size_bytes - at);
        const std::uint64_t to = frame.local_base + std::uint64_t{offset} + at;
        Addresses addresses;
        Recorded values;
        for_each_lane(warp.active, [&](unsigned lane) {
            const std::byte* from = rows + std::size_t{lane} * slot.stride + at;
            addresses[lane] = window::local + to;
            std::memcpy(values.before.data() + std::size_t{lane} * width, warp.local.data(lane) + to, width);
            std::memcpy(values.after.data() + std::size_t{lane} * width, from, width);
            values.newly_set[lane] = static_cast<std::uint16_t>((1u << width) - 1);
            std::memcpy(warp.local.data(lane) + to, from, width);
            mark_range(warp.local.set(lane), to, width);
        });
        record_access(warp, piece_at(pc, Window::local, width), trace::AccessKind::store, warp.active,
                      addresses, &values);
    }
}

Exec select_allocate(const Instruction& instruction, bool) {
    return is_wide(instruction.type()) ? &allocate<std::uint64_t> : &allocate<std::uint32_t>;
}
Exec select_save(const Instruction& instruction, bool) {
    return is_wide(instruction.type()) ? &save<std::uint64_t> : &save<std::uint32_t>;
}
Exec select_restore(const Instruction& instruction, bool) {
    return is_wide(instruction.type()) ? &restore<std::uint64_t> : &restore<std::uint32_t>;
}

}  // namespace lanescope::simt
