#include "simt/variables.h"

#include "simt/warp.h"
#include "trace/recorder.h"

namespace lanescope::simt {

namespace {

std::uint64_t lane_value(const Warp& warp, const WatchedRegister& reg, unsigned lane) {
    switch (reg.kind) {
        case WatchedRegister::Kind::narrow:
            return warp.row<std::uint32_t>(reg.ref)[lane];
        case WatchedRegister::Kind::wide:
            return warp.row<std::uint64_t>(reg.ref)[lane];
        case WatchedRegister::Kind::predicate:
            return warp.predicate(reg.ref) >> lane & 1;
    }
    return 0;
}

void update(Warp& warp, const DecodedFunction& function, std::uint32_t slot, std::uint32_t reg, Mask lanes,
            trace::Recorder& recorder) {
    FrameVariables& variables = *warp.frame->variables;
    lanes &= variables.written[reg];
    FrameVariables::Value& value = variables.slots[slot];
    std::array<std::uint64_t, warp_size> before, after;
    Mask changed = 0;
    for_each_lane(lanes, [&](unsigned lane) {
        after[lane] = lane_value(warp, function.watched[reg], lane);
        before[lane] = value.bits[lane];
        if (after[lane] != before[lane] || !has_lane(value.set, lane)) changed |= lane_bit(lane);
        value.bits[lane] = after[lane];
    });
    if (changed == 0) return;
    const Mask newly_set = changed & ~value.set;
    value.set |= changed;
    recorder.variable(slot, changed, before.data(), after.data(), newly_set);
}

}  // namespace

void FrameVariables::reset(const DecodedFunction& function, Mask lanes) {
    slots.resize(function.slot_homes.size());
    homes.resize(function.homes.size());
    written.resize(function.watched.size());
    for (Value& slot : slots) {
        slot.set &= ~lanes;
        for_each_lane(lanes, [&](unsigned lane) { slot.bits[lane] = 0; });
    }
    for (Mask& home : homes)
        home &= ~lanes;
    for (Mask& mask : written)
        mask &= ~lanes;
}

void bind_variables(Warp& warp, const std::vector<std::uint32_t>& pairs, trace::Recorder& recorder) {
    const DecodedFunction& function = program_of(warp).functions[warp.frame->function];
    FrameVariables& variables = *warp.frame->variables;
    for (const std::uint32_t pair : pairs) {
        const VariableHome home = function.homes[pair];
        for (const std::uint32_t other : function.slot_homes[home.slot])
            variables.homes[other] &= ~warp.active;
        variables.homes[pair] |= warp.active;
        update(warp, function, home.slot, home.reg, warp.active, recorder);
    }
}

void note_writes(Warp& warp, const std::vector<std::uint32_t>& registers, Mask lanes,
                 trace::Recorder& recorder) {
    const DecodedFunction& function = program_of(warp).functions[warp.frame->function];
    FrameVariables& variables = *warp.frame->variables;
    for (const std::uint32_t reg : registers) {
        variables.written[reg] |= lanes;
        for (const std::uint32_t pair : function.watched[reg].pairs)
            update(warp, function, function.homes[pair].slot, reg, lanes & variables.homes[pair], recorder);
    }
}

}  // namespace lanescope::simt
