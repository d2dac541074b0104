#include <algorithm>

#include "gpu/traced/decoder_state.h"

namespace lanescope::gpu {

using ptx::Op;
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

// --- Variables ---------------------------------------------------------------------------------------------

void LaunchDecoder::State::bind(std::uint32_t at) {
    const simt::DecodedFunction& function = function_of(at);
    for (const std::uint32_t pair : program.bindings[at]) {
        const simt::VariableHome home = function.homes[pair];
        Mask written = 0;
        for_lanes(active, [&](unsigned lane) {
            LaneFrame& frame = warp->lanes[lane]->frame();
            for (const std::uint32_t other : function.slot_homes[home.slot])
                frame.homes[other] = false;
            frame.homes[pair] = true;
            if (frame.written[home.reg]) written |= Mask{1} << lane;
        });
        update(home.slot, written, home.reg);
    }
}

void LaunchDecoder::State::take_values(Mask mask, std::uint32_t at) {
    if (program.writes[at].empty()) return;
    const simt::DecodedFunction& function = function_of(at);
    for (const std::uint32_t reg : program.writes[at]) {
        Mask written = 0;
        for_lanes(mask, [&](unsigned lane) {
            const Record* record = warp->lanes[lane]->peek(*streams);
            if (record == nullptr || record->head != trace::record_head(RecordKind::variable, at) ||
                record->extra != reg)
                return;
            ++warp->lanes[lane]->next;
            LaneFrame& frame = warp->lanes[lane]->frame();
            frame.registers[reg] = record->value;
            frame.written[reg] = true;
            written |= Mask{1} << lane;
        });
        for (const std::uint32_t pair : function.watched[reg].pairs) {
            Mask at_home = 0;
            for_lanes(written, [&](unsigned lane) {
                if (warp->lanes[lane]->frame().homes[pair]) at_home |= Mask{1} << lane;
            });
            update(function.homes[pair].slot, at_home, reg);
        }
    }
}

bool LaunchDecoder::State::holds_pointer(std::uint32_t function, std::uint32_t slot) {
    if (pointers.empty()) pointers.resize(program.functions.size());
    std::vector<bool>& slots = pointers[function];
    if (slots.empty()) {
        slots.resize(program.functions[function].slot_homes.size());
        for (const trace::Variable& variable : program.description.functions[function].variables)
            if (variable.home == trace::Variable::Home::slot && variable.slot < slots.size())
                slots[variable.slot] =
                    program.description.types[variable.type].kind == ValueType::Kind::pointer;
    }
    return slots[slot];
}

void LaunchDecoder::State::update(std::uint32_t slot, Mask mask, std::uint32_t reg) {
    std::array<std::uint64_t, 32> before{}, after{};
    Mask changed = 0, newly = 0;
    const bool pointer = holds_pointer(program.function_of(pc), slot);
    for_lanes(mask, [&](unsigned lane) {
        LaneFrame& frame = warp->lanes[lane]->frame();
        before[lane] = frame.bits[slot];
        after[lane] =
            pointer ? accesses.pointer(*warp->lanes[lane], frame.registers[reg]) : frame.registers[reg];
        if (frame.set[slot] && before[lane] == after[lane]) return;
        changed |= Mask{1} << lane;
        if (!frame.set[slot]) newly |= Mask{1} << lane;
        frame.set[slot] = true;
        frame.bits[slot] = after[lane];
    });
    if (changed != 0) recorder->variable(slot, changed, before.data(), after.data(), newly);
}

// --- Control flow ------------------------------------------------------------------------------------------

void LaunchDecoder::State::branch(const ptx::Instruction& made) {
    const bool guarded = made.guard != ptx::no_index;
    const std::uint32_t target = program.code[pc].target;
    if (made.op == Op::bra && !guarded) return set_next(active, target);
    Mask taken = 0;
    for_lanes(active, [&](unsigned lane) {
        const Record* record = warp->lanes[lane]->peek(*streams);
        if (record == nullptr || kind_of(*record) != RecordKind::point) return;
        if (trace::pc_of(*record) == pc + 1) return;
        warp->lanes[lane]->pc = trace::pc_of(*record);
        taken |= Mask{1} << lane;
    });
    if (guarded) recorder->branch(pc, static_cast<std::uint16_t>(executed), active, taken);
}

void LaunchDecoder::State::call() {
    const simt::CallSite& site = program.calls[program.code[pc].target];
    std::uint32_t callee = site.callee;
    if (callee == trace::none) {  // indirect: the callee's first point says which
        const Record* record = leader().peek(*streams);
        if (record == nullptr) return drop(active);
        callee = program.function_of(trace::pc_of(*record));
    }
    const simt::DecodedFunction& function = program.functions[callee];
    if (function.first_pc == function.end_pc) return;  // printf and its like
    Mask same = 0;
    for_lanes(active, [&](unsigned lane) {
        const Record* record = warp->lanes[lane]->peek(*streams);
        const bool other = site.callee == trace::none && record != nullptr &&
                           program.function_of(trace::pc_of(*record)) != callee;
        if (!other) same |= Mask{1} << lane;
    });
    for_lanes(active & ~same,
              [&](unsigned lane) { warp->lanes[lane]->pc = pc; });  // they call something else
    std::uint32_t base = leader().frame().local_end;
    for_lanes(same, [&](unsigned lane) {
        Lane& each = *warp->lanes[lane];
        LaneFrame entered;
        entered.function = callee;
        entered.return_pc = pc + 1;
        entered.call_line = each.line;
        entered.local_base = each.frame().local_end;
        entered.local_end = entered.local_base + function.local_bytes;
        entered.reset(function);
        if (function.local_bytes != 0) each.local_memory().forget(entered.local_base, function.local_bytes);
        each.frames.push_back(std::move(entered));
        take_addresses(each, function.first_pc);
        each.line = 0;
        each.pc = function.first_pc;
    });
    recorder->push_frame(same, callee, base);
    if (same != active) end(trace::TurnEnd::diverged);
}

void LaunchDecoder::State::leave(const ptx::Instruction& made, bool kernel_only) {
    Mask leaving = active;
    const bool from_kernel = kernel_only || leader().frames.size() == 1;
    if (made.guard != ptx::no_index) {
        leaving = 0;
        for_lanes(active, [&](unsigned lane) {
            const Record* record = warp->lanes[lane]->peek(*streams);
            const bool ends = record != nullptr && record->head == trace::record_head(RecordKind::end, pc);
            if (ends) leaving |= Mask{1} << lane;
        });
    }
    if (from_kernel)
        leave_kernel(leaving);
    else
        return_from(leaving);
}

void LaunchDecoder::State::leave_kernel(Mask leaving) {
    if (leaving == 0) return;
    for_lanes(leaving, [&](unsigned lane) {
        warp->lanes[lane]->take(*streams, RecordKind::end, pc);
        warp->lanes[lane]->live = false;
        --blocks[warp->place].live;
    });
    if (leaving == active) {
        end(trace::TurnEnd::exited);
    } else {
        recorder->exit_lanes(leaving, static_cast<std::uint16_t>(executed));
        active &= ~leaving;
    }
}

void LaunchDecoder::State::return_from(Mask mask) {
    if (leader().frames.size() == 1) return leave_kernel(mask);
    recorder->pop_frame(mask);
    const bool stepped = leader().line != 0;
    for_lanes(mask, [&](unsigned lane) {
        Lane& each = *warp->lanes[lane];
        each.pc = each.frame().return_pc;
        each.line = each.frame().call_line;
        each.frames.pop_back();
    });
    take_values(mask, leader().pc - 1);
    if (stepped) end(trace::TurnEnd::step);
}

void LaunchDecoder::State::drop(Mask lanes_to_drop) {
    for_lanes(lanes_to_drop, [&](unsigned lane) {
        warp->lanes[lane]->live = false;
        --blocks[warp->place].live;
    });
    end(trace::TurnEnd::exited);
}

// --- Barriers of the block ---------------------------------------------------------------------------------

std::uint32_t LaunchDecoder::State::operand(const ptx::Instruction& made, std::size_t number) {
    std::size_t seen = 0;
    std::uint32_t records = 0;
    for (const ptx::Operand& each : made.operands) {
        const bool value = each.kind == ptx::Operand::Kind::integer || each.kind == ptx::Operand::Kind::reg;
        const bool written =
            (ptx::info(made.op).flags & ptx::op_flag::writes) != 0 && &each == &made.operands[0];
        if (!value || written || each.negated) continue;
        const bool recorded = each.kind == ptx::Operand::Kind::reg;
        if (seen++ == number) {
            if (!recorded) return static_cast<std::uint32_t>(each.bits);
            const Record* record = leader().peek(*streams, records);
            return record == nullptr ? 0 : static_cast<std::uint32_t>(record->value);
        }
        if (recorded) ++records;
    }
    return 0;
}

void LaunchDecoder::State::barrier(const ptx::Instruction& made) {
    const std::uint32_t number = std::min(operand(made, 0), 16u);
    const bool reduction = made.op == Op::bar_red || made.op == Op::barrier_red;
    const std::uint32_t count = reduction ? 0 : operand(made, 1);
    const bool passes = made.op == Op::bar_arrive || made.op == Op::barrier_arrive;
    recorder->sync(passes ? trace::SyncKind::arrive : trace::SyncKind::wait, pc,
                   static_cast<std::uint16_t>(executed), active, number);
    DecodedBarrier& waited = blocks[warp->place].barriers[number];
    if (count != 0) waited.expected = count;
    for_lanes(active, [&](unsigned lane) {
        Lane& each = *warp->lanes[lane];
        while (const Record* record = each.peek(*streams)) {
            if (record->head != trace::record_head(RecordKind::variable, pc) ||
                record->extra != operand_value)
                break;
            ++each.next;
        }
        if (passes) return;
        each.waits = true;
        waited.lanes.push_back(&each);
    });
    const auto lanes_here = static_cast<std::uint32_t>(std::popcount(active));
    (passes ? waited.passed : waited.waiting) += count != 0 ? 32 : lanes_here;
    if (!passes) end(trace::TurnEnd::barrier);
}

void LaunchDecoder::State::try_release(std::uint32_t place) {
    DecodedBlock& block = blocks[place];
    for (std::uint32_t number = 0; number < block.barriers.size(); ++number) {
        const DecodedBarrier& waited = block.barriers[number];
        const std::uint32_t needed = waited.expected != 0 ? waited.expected : block.live;
        if (!waited.lanes.empty() && waited.waiting + waited.passed >= needed) release(place, number);
    }
}

void LaunchDecoder::State::release(std::uint32_t place, std::uint32_t number) {
    DecodedBarrier opened;
    std::swap(opened, blocks[place].barriers[number]);
    recorder->barrier_release(streams->blocks[place], number);
    std::set<std::uint32_t> woken;
    const std::uint32_t per_block = (streams->block_threads + 31) / 32;
    for (Lane* lane : opened.lanes) {
        lane->waits = false;
        if (lane->live) look_ahead(*lane);
        woken.insert(place * per_block + lane->slot % streams->block_threads / 32);
    }
    for (const std::uint32_t each : woken)
        if (&warps[each] != warp) enqueue(warps[each]);
}

}  // namespace lanescope::gpu
