#include "gpu/traced/lane_variables.h"

#include <array>

namespace lanescope::gpu {

using trace::Mask;
using trace::Record;
using trace::RecordKind;

void LaneFrame::reset(const simt::DecodedFunction& described) {
    bits.assign(described.slot_homes.size(), 0);
    set.assign(described.slot_homes.size(), false);
    homes.assign(described.homes.size(), false);
    registers.assign(described.watched.size(), 0);
    written.assign(described.watched.size(), false);
    locals.clear();
}

void LaneVariables::bind(DecodedWarp& warp, Mask lanes, std::uint32_t pc) {
    const simt::DecodedFunction& function = program_.functions[program_.function_of(pc)];
    for (const std::uint32_t pair : program_.bindings[pc]) {
        const simt::VariableHome home = function.homes[pair];
        Mask written = 0;
        each_lane(lanes, [&](unsigned lane) {
            LaneFrame& frame = warp.lanes[lane]->frame();
            for (const std::uint32_t other : function.slot_homes[home.slot])
                frame.homes[other] = false;
            frame.homes[pair] = true;
            if (frame.written[home.reg]) written |= Mask{1} << lane;
        });
        update(warp, program_.function_of(pc), home.slot, written, home.reg);
    }
}

void LaneVariables::take_values(DecodedWarp& warp, Mask lanes, std::uint32_t pc) {
    if (program_.writes[pc].empty()) return;
    const simt::DecodedFunction& function = program_.functions[program_.function_of(pc)];
    for (const std::uint32_t reg : program_.writes[pc]) {
        Mask written = 0;
        each_lane(lanes, [&](unsigned lane) {
            const Record* record = warp.lanes[lane]->peek(streams_);
            if (record == nullptr || record->head != trace::record_head(RecordKind::variable, pc) ||
                record->extra != reg)
                return;
            ++warp.lanes[lane]->next;
            LaneFrame& frame = warp.lanes[lane]->frame();
            frame.registers[reg] = record->value;
            frame.written[reg] = true;
            written |= Mask{1} << lane;
        });
        for (const std::uint32_t pair : function.watched[reg].pairs) {
            Mask at_home = 0;
            each_lane(written, [&](unsigned lane) {
                if (warp.lanes[lane]->frame().homes[pair]) at_home |= Mask{1} << lane;
            });
            update(warp, program_.function_of(pc), function.homes[pair].slot, at_home, reg);
        }
    }
}

bool LaneVariables::holds_pointer(std::uint32_t function, std::uint32_t slot) {
    if (pointers_.empty()) pointers_.resize(program_.functions.size());
    std::vector<bool>& slots = pointers_[function];
    if (slots.empty()) {
        slots.resize(program_.functions[function].slot_homes.size());
        for (const trace::Variable& variable : program_.description.functions[function].variables)
            if (variable.home == trace::Variable::Home::slot && variable.slot < slots.size())
                slots[variable.slot] =
                    program_.description.types[variable.type].kind == ValueType::Kind::pointer;
    }
    return slots[slot];
}

void LaneVariables::update(DecodedWarp& warp, std::uint32_t function, std::uint32_t slot, Mask lanes,
                           std::uint32_t reg) {
    std::array<std::uint64_t, 32> before{}, after{};
    Mask changed = 0, newly = 0;
    const bool pointer = holds_pointer(function, slot);
    each_lane(lanes, [&](unsigned lane) {
        LaneFrame& frame = warp.lanes[lane]->frame();
        before[lane] = frame.bits[slot];
        const std::uint64_t found = frame.registers[reg];
        const Lane& each = *warp.lanes[lane];
        after[lane] = accesses_.in_trace(each, pointer ? accesses_.pointer(each, found) : found);
        if (frame.set[slot] && before[lane] == after[lane]) return;
        changed |= Mask{1} << lane;
        if (!frame.set[slot]) newly |= Mask{1} << lane;
        frame.set[slot] = true;
        frame.bits[slot] = after[lane];
    });
    if (changed != 0) recorder_.variable(slot, changed, before.data(), after.data(), newly);
}

}  // namespace lanescope::gpu
