// Branches, calls, exits, block barriers (PTX ISA 9.7.12, 9.7.13) and instructions without effect here.
#include <algorithm>
#include <cstring>

#include "simt/exec/control_parts.h"
#include "simt/exec/executors.h"
#include "simt/state/block.h"
#include "simt/state/control.h"
#include "simt/state/faults.h"
#include "simt/state/launch_context.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;

namespace {

trace::Recorder* recorder_of(const Warp& warp) {
    return warp.block->recorded ? warp.run->recorder : nullptr;
}

// Ends lanes that return from the kernel or that a fault stops.
template <bool traced>
void end_lanes(Warp& warp, Mask lanes, Signal how) {
    if (lanes == warp.active) {
        warp.signal = how;
    } else if constexpr (traced) {
        if (trace::Recorder* recorder = recorder_of(warp))
            recorder->exit_lanes(lanes, static_cast<std::uint16_t>(warp.executed));
    }
    warp.retire(lanes);
}

void take_branch(Warp& warp, const Decoded& decoded) {
    warp.pc = decoded.target;
    if ((decoded.flags & decoded_flag::back_edge) == 0) return;
    warp.changed = warp.changed || warp.progressed;
    if (note_back_edge(warp.groups[warp.current], warp.polled, warp.progressed))
        warp.signal = Signal::yielded;
}

template <bool traced>
void branch(Warp& warp, const Decoded& decoded, Mask taken) {
    if constexpr (traced) {
        trace::Recorder* recorder = recorder_of(warp);
        if (recorder != nullptr && (decoded.flags & decoded_flag::guarded))
            recorder->branch(warp.run->pc_of(decoded), static_cast<std::uint16_t>(warp.executed), warp.active,
                             taken);
    }
    if (taken == 0) return;
    if (taken == warp.active) return take_branch(warp, decoded);
    warp.split(taken, decoded.target, warp.frame, warp.run->pc_of(decoded));
    Group& leaving = warp.groups.back();
    warp.changed = warp.changed || warp.progressed;
    if (decoded.flags & decoded_flag::back_edge) note_back_edge(leaving, leaving.polled, leaving.progressed);
    warp.signal = Signal::diverged;
}

template <bool traced>
void branch_by_index(Warp& warp, const Decoded& decoded, Mask mask) {
    if (mask == 0) return;
    const auto& table = warp.run->program.branch_tables[decoded.target];
    const auto* index = warp.row<std::uint32_t>(decoded.a);
    if (mask != warp.active) {
        warp.split(warp.active & ~mask, warp.pc, warp.frame);
        warp.signal = Signal::diverged;
    }
    for (Mask left = mask; left != 0;) {
        const std::uint32_t entry = index[first_lane(left)];
        Mask same = 0;
        for_each_lane(left, [&](unsigned lane) { same |= index[lane] == entry ? lane_bit(lane) : 0; });
        left &= ~same;
        if (entry >= table.size()) {
            report(warp, trace::ProblemKind::trap, warp.run->pc_of(decoded), same,
                   "branched to entry " + std::to_string(entry) + " of a table of " +
                       std::to_string(table.size()));
            end_lanes<traced>(warp, same, Signal::fault);
        } else if (same == warp.active) {
            warp.pc = table[entry];
        } else {
            warp.split(same, table[entry], warp.frame, warp.run->pc_of(decoded));
            warp.signal = Signal::diverged;
        }
    }
}

std::byte* slot_bytes(const Warp& warp, const Frame& frame, const Slot& slot) {
    return (ref_base(slot.ref) == 0 ? frame.rows : warp.base[ref_base(slot.ref)]) + ref_offset(slot.ref);
}

void copy_slots(const Warp& warp, Mask mask, const Frame& from, const std::vector<Slot>& sources,
                const Frame& to, const std::vector<Slot>& targets) {
    for (std::size_t i = 0; i < std::min(sources.size(), targets.size()); ++i) {
        if (sources[i].ref == no_ref || targets[i].ref == no_ref) continue;
        const std::byte* source = slot_bytes(warp, from, sources[i]);
        std::byte* target = slot_bytes(warp, to, targets[i]);
        const std::size_t size = std::min(sources[i].size_bytes, targets[i].size_bytes);
        if (mask == all_lanes && sources[i].stride == size && targets[i].stride == size) {
            std::memcpy(target, source, warp_size * size);
            continue;
        }
        for_each_lane(mask, [&](unsigned lane) {
            std::memcpy(target + lane * targets[i].stride, source + lane * sources[i].stride, size);
        });
    }
}

// Returns the function at a code address, or none.
std::uint32_t function_at(const Program& program, std::uint64_t address) {
    const std::uint64_t offset = address - window::function;
    const bool callable = window_of(address) == Window::function && offset % 16 == 0 &&
                          offset / 16 < program.functions.size() &&
                          program.functions[offset / 16].end_pc > program.functions[offset / 16].first_pc;
    return callable ? static_cast<std::uint32_t>(offset / 16) : trace::none;
}

// Keeps the lanes of an indirect call that call the same function as the first lane; the others repeat the
// instruction in another turn.
template <bool traced>
std::uint32_t indirect_callee(Warp& warp, const Decoded& decoded, const CallSite& site) {
    const auto* address = warp.row<std::uint64_t>(site.address);
    const std::uint64_t first = address[first_lane(warp.active)];
    Mask same = 0;
    for_each_lane(warp.active, [&](unsigned lane) { same |= address[lane] == first ? lane_bit(lane) : 0; });
    if (same != warp.active) {
        warp.split(warp.active & ~same, warp.run->pc_of(decoded), warp.frame);
        warp.signal = Signal::diverged;
    }
    const std::uint32_t callee = function_at(warp.run->program, first);
    if (callee == trace::none) {
        report(warp, trace::ProblemKind::trap, warp.run->pc_of(decoded), same,
               "called an address that is not a function");
        end_lanes<traced>(warp, same, Signal::fault);
    }
    return callee;
}

template <bool traced>
void call(Warp& warp, const Decoded& decoded, Mask mask) {
    if (mask == 0) return;
    if (mask != warp.active) {
        warp.split(warp.active & ~mask, warp.pc, warp.frame);
        warp.signal = Signal::diverged;
    }
    const Program& program = warp.run->program;
    const CallSite& site = program.calls[decoded.target];
    const std::uint32_t pc = warp.run->pc_of(decoded);
    const std::uint32_t callee =
        site.callee != trace::none ? site.callee : indirect_callee<traced>(warp, decoded, site);
    if (callee == trace::none) return;
    Frame* caller = warp.frame;
    Frame* entered = warp.enter(warp.active, callee, pc);
    if (entered == nullptr) {
        report(warp, trace::ProblemKind::out_of_bounds, pc, warp.active,
               "overflowed the stack: calls nest " + std::to_string(caller->depth + 1) + " deep");
        return end_lanes<traced>(warp, warp.active, Signal::fault);
    }
    copy_slots(warp, warp.active, *caller, site.arguments, *entered, program.functions[callee].parameters);
    warp.use_frame(entered);
    warp.pc = program.functions[callee].first_pc;
    warp.line = 0;
    if constexpr (traced)
        if (trace::Recorder* recorder = recorder_of(warp))
            recorder->push_frame(warp.active, callee, entered->local_base);
    for (const DecodedFunction::ParameterCopy& copied : program.functions[callee].copied)
        copy_parameter(warp, pc, program.functions[callee].parameters[copied.parameter], copied.offset);
}

template <bool traced>
void leave_kernel(Warp& warp, const Decoded& decoded, Mask mask) {
    if (mask == 0) return;
    note_leaving(warp, warp.run->pc_of(decoded), mask);
    end_lanes<traced>(warp, mask, Signal::exited);
}

template <bool traced>
void return_from(Warp& warp, const Decoded& decoded, Mask mask) {
    if (mask == 0) return;
    Frame* callee = warp.frame;
    if (callee->parent == nullptr) return leave_kernel<traced>(warp, decoded, mask);
    const Program& program = warp.run->program;
    const Decoded& call_site = warp.run->code()[callee->call_pc];
    const DecodedFunction& function = program.functions[callee->function];
    Frame* caller = callee->parent;
    copy_slots(warp, mask, *callee, function.results, *caller, program.calls[call_site.target].results);
    if constexpr (traced)
        if (trace::Recorder* recorder = recorder_of(warp)) recorder->pop_frame(mask);
    if (mask != warp.active) {
        warp.split(mask, callee->call_pc + 1, caller, callee->call_pc);
        warp.groups.back().line = callee->call_line;
        warp.signal = Signal::diverged;
        warp.leave(callee, mask);
        return;
    }
    warp.pc = callee->call_pc + 1;
    if (warp.line != 0) warp.signal = Signal::step;  // the callee had steps of its own
    warp.line = callee->call_line;
    warp.use_frame(caller);
    forget_laps(warp.groups[warp.current].laps, callee);
    warp.note_jump(callee->call_pc);
    warp.leave(callee, mask);
}

template <bool traced>
void trap(Warp& warp, const Decoded& decoded, Mask mask) {
    if (mask == 0) return;
    const LaunchContext& run = *warp.run;
    const bool no_grid_group = run.kernel.reads_workspace && !run.request.cooperative;
    report(
        warp, trace::ProblemKind::trap, run.pc_of(decoded), mask,
        std::string("stopped the kernel with a trap") +
            (no_grid_group ? "; a grid can synchronise only in a cooperative launch: cooperative = true in "
                             "[[launch]]"
                           : ""));
    end_lanes<traced>(warp, mask, Signal::fault);
}

void end_unsupported(Warp& warp, const Decoded& decoded, Mask mask) {
    if (mask == 0) return;
    const std::uint32_t pc = warp.run->pc_of(decoded);
    const auto text = warp.run->program.texts.find(pc);
    report(warp, trace::ProblemKind::unsupported, pc, mask,
           "reached an instruction that is not supported: " +
               (text == warp.run->program.texts.end() ? std::string("?") : text->second));
    end_lanes<true>(warp, mask, Signal::fault);
}

// --- barriers of the block ------------------------------------------------------
template <bool traced>
bool valid_barrier(Warp& warp, const Decoded& decoded, std::uint32_t number, std::uint32_t count) {
    const std::uint32_t pc = warp.run->pc_of(decoded);
    std::string what;
    if (number >= barriers_per_block)
        what = "used barrier " + std::to_string(number) + ", but there are 16";
    else if (count % warp_size != 0 || count > max_warps_per_block * warp_size)
        what = "waited for " + std::to_string(count) +
               " threads at a barrier, which is not a multiple of 32 up to 1024";
    if (what.empty()) return true;
    report(warp, trace::ProblemKind::trap, pc, warp.active, what);
    end_lanes<traced>(warp, warp.active, Signal::fault);
    return false;
}

template <bool traced>
void block_barrier(Warp& warp, const Decoded& decoded, Mask mask) {
    if (mask == 0) return;
    if (mask != warp.active) {
        warp.split(warp.active & ~mask, warp.pc, warp.frame);
        warp.signal = Signal::diverged;
    }
    const unsigned lane = first_lane(mask);
    const std::uint32_t number = warp.row<std::uint32_t>(decoded.a)[lane];
    const std::uint32_t count = decoded.b == no_ref ? 0 : warp.row<std::uint32_t>(decoded.b)[lane];
    if (!valid_barrier<traced>(warp, decoded, number, count)) return;
    Barrier& barrier = warp.block->barriers[number];
    if (barrier.idle() || count != 0) barrier.expected = count;
    warp.block->barriers_changed = true;
    warp.block->used_barriers |= 1u << number;
    // The order of arrivals does not matter at a barrier of all threads; it does at other barriers.
    if (count != 0 || (decoded.mode & barrier_mode::arrive) != 0)
        warp.run->note_side_effect(SideEffect::Place::barrier, warp.block->index, number);
    check_barrier_alignment(warp, warp.run->pc_of(decoded));
    if (decoded.mode & barrier_mode::reduction) {
        const Mask values = warp.predicate(decoded.c) ^ (decoded.count != 0 ? 0 : all_lanes);
        barrier.count_true += lane_count(values & mask);
        barrier.count_all += lane_count(mask);
    }
    const bool passes = (decoded.mode & barrier_mode::arrive) != 0;
    if constexpr (traced)
        record_sync(warp, decoded, passes ? trace::SyncKind::arrive : trace::SyncKind::wait, mask, number);
    if (passes) {
        barrier.passed_by += mask == warp.live ? warp_size : lane_count(mask);
        return;
    }
    barrier.waiting[warp.number] |= mask;
    Group& group = warp.groups[warp.current];
    group.state = GroupState::at_barrier;
    group.barrier = static_cast<std::uint8_t>(number);
    group.wait_pc = warp.run->pc_of(decoded);
    warp.signal = Signal::barrier;
}

void no_effect(Warp&, const Decoded&, Mask) {}

// Memory is sequentially consistent here, so that a fence matters only to the search for races.
template <trace::FenceScope scope>
void fence(Warp& warp, const Decoded& decoded, Mask mask) {
    record_sync(warp, decoded, trace::SyncKind::fence, mask, static_cast<unsigned>(scope));
}

void note_poll(Warp& warp, const Decoded&, Mask) {
    warp.polled = true;
}

}  // namespace

std::uint8_t barrier_mode_of(const Instruction& instruction) {
    std::uint8_t mode = 0;
    const Op op = instruction.op;
    if (op == Op::bar_sync || op == Op::bar_arrive || op == Op::bar_red || instruction.has(Mod::aligned))
        mode |= barrier_mode::aligned;
    if (op == Op::bar_arrive || op == Op::barrier_arrive) mode |= barrier_mode::arrive;
    if (op != Op::bar_red && op != Op::barrier_red) return mode;
    if (instruction.has(Mod::popc)) return mode | barrier_mode::popc;
    return mode | (instruction.has(Mod::and_) ? barrier_mode::conjunction : barrier_mode::disjunction);
}

Exec unsupported_exec() {
    return &end_unsupported;
}

Exec select_branch(const Instruction&, bool traced) {
    return traced ? &branch<true> : &branch<false>;
}
Exec select_branch_by_index(const Instruction&, bool traced) {
    return traced ? &branch_by_index<true> : &branch_by_index<false>;
}
Exec select_call(const Instruction&, bool traced) {
    return traced ? &call<true> : &call<false>;
}
Exec select_ret(const Instruction&, bool traced) {
    return traced ? &return_from<true> : &return_from<false>;
}
Exec select_exit(const Instruction&, bool traced) {
    return traced ? &leave_kernel<true> : &leave_kernel<false>;
}
Exec select_trap(const Instruction&, bool traced) {
    return traced ? &trap<true> : &trap<false>;
}
Exec select_block_barrier(const Instruction&, bool traced) {
    return traced ? &block_barrier<true> : &block_barrier<false>;
}
Exec select_no_effect(const Instruction&, bool) {
    return &no_effect;
}
Exec select_poll(const Instruction&, bool) {
    return &note_poll;
}
Exec select_fence(const Instruction& instruction, bool traced) {
    using trace::FenceScope;
    if (!traced) return &no_effect;
    if (instruction.has(Mod::cta)) return &fence<FenceScope::block>;
    if (instruction.has(Mod::cluster)) return &fence<FenceScope::cluster>;
    return instruction.has(Mod::sys) ? &fence<FenceScope::system> : &fence<FenceScope::gpu>;
}

}  // namespace lanescope::simt
