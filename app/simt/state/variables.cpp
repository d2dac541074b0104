#include "simt/state/variables.h"

#include <algorithm>

#include "simt/memory/lane_tests.h"
#include "simt/state/warp.h"
#include "trace/recorder.h"

namespace lanescope::simt {

namespace {

using Values = std::array<std::uint64_t, warp_size>;

void read_lanes(const Warp& warp, const WatchedRegister& reg, Values& values) {
    switch (reg.kind) {
        case WatchedRegister::Kind::narrow:
            std::copy_n(warp.row<std::uint32_t>(reg.ref), warp_size, values.data());
            return;
        case WatchedRegister::Kind::wide:
            std::copy_n(warp.row<std::uint64_t>(reg.ref), warp_size, values.data());
            return;
        case WatchedRegister::Kind::predicate:
            for (unsigned lane = 0; lane < warp_size; ++lane)
                values[lane] = warp.predicate(reg.ref) >> lane & 1;
            return;
    }
}

Mask lanes_that_differ(const Values& a, const Values& b) {
    return lanes_with_sign([&](unsigned lane) {
        const std::uint64_t difference = a[lane] ^ b[lane];
        return difference | (0 - difference);
    });
}

void update(Warp& warp, const DecodedFunction& function, std::uint32_t slot, std::uint32_t reg, Mask lanes,
            trace::Recorder& recorder) {
    FrameVariables& variables = *warp.frame->variables;
    lanes &= variables.written[reg];
    FrameVariables::Value& value = variables.slots[slot];
    Values after;
    read_lanes(warp, function.watched[reg], after);
    const Mask changed = lanes & (lanes_that_differ(value.bits, after) | ~value.set);
    if (changed == 0) return;
    const Mask newly_set = changed & ~value.set;
    value.set |= changed;
    recorder.variable(slot, changed, value.bits.data(), after.data(), newly_set);
    if (lanes == all_lanes)
        value.bits = after;
    else
        for_each_lane(changed, [&](unsigned lane) { value.bits[lane] = after[lane]; });
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

std::uint64_t FrameVariables::cost_of(const DecodedFunction& function) {
    return sizeof(FrameVariables) + function.slot_homes.size() * sizeof(Value) +
           (function.homes.size() + function.watched.size()) * sizeof(Mask);
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
