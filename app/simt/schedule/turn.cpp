#include "simt/schedule/turn.h"

#include <algorithm>
#include <array>
#include <span>

#include "simt/state/access.h"
#include "simt/state/block.h"
#include "simt/state/control.h"
#include "simt/state/forward_flow.h"
#include "simt/state/launch_context.h"
#include "simt/state/variables.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

namespace {

constexpr std::uint32_t max_turn_instructions = 65'535;

trace::TurnEnd turn_end(Signal signal) {
    switch (signal) {
        case Signal::diverged:
            return trace::TurnEnd::diverged;
        case Signal::barrier:
            return trace::TurnEnd::barrier;
        case Signal::warp_sync:
            return trace::TurnEnd::warp_sync;
        case Signal::exited:
            return trace::TurnEnd::exited;
        case Signal::fault:
            return trace::TurnEnd::fault;
        case Signal::yielded:
            return trace::TurnEnd::yielded;
        case Signal::none:
        case Signal::step:
            break;
    }
    return trace::TurnEnd::step;
}

// Tells the recorder about variables around each instruction.
class Observer {
  public:
    explicit Observer(Warp& warp)
        : warp_(warp), recorder_(warp.run->recorder), variables_(!recorder_->in_slices()) {}

    void before(const Decoded& decoded) {
        if ((decoded.flags & decoded_flag::bindings) == 0 || !variables_) return;
        bind_variables(warp_, program().bindings[warp_.run->pc_of(decoded)], *recorder_);
    }
    // Results of control instructions are written in another frame, or later; see results().
    void after(const Decoded& decoded, Mask mask) {
        if ((decoded.flags & decoded_flag::watched) == 0 || mask == 0 || !variables_) return;
        if (warp_.signal == Signal::barrier || warp_.signal == Signal::warp_sync) return;
        note_writes(warp_, program().writes[warp_.run->pc_of(decoded)], mask, *recorder_);
    }
    // bar.red wrote while the group waited.
    void results(Group& group) {
        if (group.result_pc == trace::none) return;
        if (variables_) note_writes(warp_, program().writes[group.result_pc], warp_.active, *recorder_);
        group.result_pc = trace::none;
    }

  private:
    const Program& program() const { return warp_.run->program; }
    Warp& warp_;
    trace::Recorder* recorder_;
    bool variables_;
};

template <bool observed>
void run_straight(Warp& warp, const Decoded* from, std::uint32_t count, Observer* observer) {
    const Mask active = warp.active;
    const unsigned all = lane_count(active);
    std::uint64_t threads = 0;
    for (const Decoded* decoded = from; decoded != from + count; ++decoded) {
        if constexpr (observed) observer->before(*decoded);
        const Mask mask = active & (warp.predicate(decoded->guard) ^ decoded->guard_flip);
        threads += mask == active ? all : lane_count(mask);
        if (mask != 0 || (decoded->flags & decoded_flag::control)) decoded->run(warp, *decoded, mask);
        if constexpr (observed) {
            observer->after(*decoded, mask);
            ++warp.executed;  // the ordinal of what an instruction records
        }
    }
    if constexpr (!observed) warp.executed += count;
    warp.run->thread_instructions += threads;
}

// Whether execution that came from `last` to the current pc begins a new source step.
bool begins_step(const Warp& warp, const Decoded* code, const Decoded& last) {
    const std::uint32_t line = code[warp.pc].line;
    if (line != 0 && line != warp.line) return true;
    return last.loop_line != 0 && last.loop_line == warp.line &&
           warp.pc <= static_cast<std::uint32_t>(&last - code);
}

template <bool observed>
void run_group(Warp& warp, Observer* observer) {
    const Decoded* code = warp.run->code();
    const bool alone = warp.groups.size() == 1;
    while (true) {
        const std::uint32_t first = warp.pc;
        std::uint32_t count =
            std::min<std::uint32_t>(code[first].length, max_turn_instructions - warp.executed);
        if (!alone) count = std::min(count, warp.straight_limit());
        warp.pc = first + count;
        const Frame* const frame = warp.frame;
        run_straight<observed>(warp, code + first, count, observer);
        if (warp.frame == frame && warp.signal != Signal::warp_sync) warp.note_jump(first + count - 1);
        if (warp.signal != Signal::none) return;
        const Decoded& last = code[first + count - 1];
        if (begins_step(warp, code, last) || warp.executed >= max_turn_instructions) {
            warp.signal = Signal::step;
            return;
        }
        if (!alone && warp.other_group_due()) {
            warp.signal = Signal::yielded;
            return;
        }
        if constexpr (observed)
            if (warp.pc != first + count)
                warp.run->recorder->jump(warp.pc, static_cast<std::uint16_t>(warp.executed - 1));
    }
}

bool others_see(Window window) {
    return window == Window::global || window == Window::shared;
}

// Whether the instruction does something that other threads can observe.
bool reaches_others(const Warp& warp, const Decoded& decoded, std::uint32_t pc) {
    const Program& program = warp.run->program;
    const Mask mask = warp.active & (warp.predicate(decoded.guard) ^ decoded.guard_flip);
    if (mask == 0) return false;
    const ptx::Op op = program.ops[pc];
    if (op == ptx::Op::call) {
        const std::uint32_t callee = program.calls[decoded.target].callee;
        return callee != trace::none && program.functions[callee].builtin != Builtin::none;
    }
    namespace op_flag = ptx::op_flag;
    using ptx::Form;
    const auto& [text, operands, flags, form] = ptx::info(op);
    if (flags & (op_flag::arrives | op_flag::tests | op_flag::lands)) return true;
    if ((flags & op_flag::access) == 0) return false;
    const bool plain = form == Form::load || form == Form::store || form == Form::atomic;
    if (!plain) return true;  // copies, matrices
    if (decoded.window != Window::none) return others_see(decoded.window);
    Addresses addresses;
    form_addresses(warp, decoded, addresses);
    return others_see(window_of(addresses[first_lane(mask) % warp_size]));
}

// Runs the turn of a thread that is scheduled on its own. It ends before the second access that other threads
// can observe, and after each instruction that lanes execute together.
template <bool observed>
void run_thread(Warp& warp, Observer* observer) {
    const Decoded* code = warp.run->code();
    const bool together = lane_count(warp.active) > 1;
    bool accessed = false;
    while (true) {
        const Decoded& decoded = code[warp.pc];
        const std::uint32_t first = warp.pc;
        const bool reaches = reaches_others(warp, decoded, first);
        if (accessed && reaches) {
            warp.signal = Signal::yielded;
            return;
        }
        accessed = accessed || reaches;
        warp.pc = first + 1;
        run_straight<observed>(warp, &decoded, 1, observer);
        if (warp.signal != Signal::none) return;
        if (begins_step(warp, code, decoded) || warp.executed >= max_turn_instructions) {
            warp.signal = Signal::step;
            return;
        }
        if (together) {
            warp.signal = Signal::yielded;
            return;
        }
        if constexpr (observed)
            if (warp.pc != first + 1)
                warp.run->recorder->jump(warp.pc, static_cast<std::uint16_t>(warp.executed - 1));
    }
}

struct StepPlace {
    std::uint32_t line = 0;
    std::uint32_t depth = 0;
};
// The frame whose source step the next instruction belongs to, and that step's line.
StepPlace step_place(const Warp& warp) {
    if (warp.line != 0) return {warp.line, warp.frame->depth};
    for (const Frame* frame = warp.frame; frame->parent != nullptr; frame = frame->parent)
        if (frame->call_line != 0) return {frame->call_line, frame->depth - 1};
    return {0, warp.frame->depth};
}

// See step_of_caller().
void join_next_step(Warp& warp) {
    std::array<std::uint32_t, 8> return_pcs;
    std::array<Frame*, 8> left;
    std::size_t count = 0;
    for (Frame* frame = warp.frame; frame->parent != nullptr && count < left.size(); frame = frame->parent) {
        if (frame->lanes != warp.active) break;
        left[count] = frame;
        return_pcs[count++] = frame->call_pc + 1;
    }
    const StepOfCaller next =
        step_of_caller(warp.run->program, warp.run->code(), warp.pc, std::span(return_pcs).first(count));
    if (next.line != 0 && next.returns != 0) left[next.returns - 1]->call_line = next.line;
}

void run_recorded(Warp& warp) {
    trace::Recorder& recorder = *warp.run->recorder;
    const StepPlace place = step_place(warp);
    recorder.begin_turn(warp.block->index, static_cast<std::uint16_t>(warp.number), warp.active, warp.pc,
                        place.line, static_cast<std::uint8_t>(std::min(place.depth, 255u)));
    Observer observer(warp);
    observer.results(warp.groups[warp.current]);
    if (warp.run->by_thread())
        run_thread<true>(warp, &observer);
    else
        run_group<true>(warp, &observer);
}

}  // namespace

void run_turn(Warp& warp, std::size_t group) {
    LaunchContext& run = *warp.run;
    warp.load_group(group);
    if (warp.groups.size() > 1 && !run.by_thread()) note_running_past(warp);
    Group& running = warp.groups[warp.current];
    running.past_pc = running.turn_pc;
    running.turn_pc = warp.pc;
    if (warp.line == 0 && warp.frame->parent != nullptr) join_next_step(warp);
    if (const std::uint32_t line = run.code()[warp.pc].line; line != 0) warp.line = line;
    const bool recorded = run.recorder != nullptr && warp.block->recorded;
    if (recorded)
        run_recorded(warp);
    else if (run.by_thread())
        run_thread<false>(warp, nullptr);
    else
        run_group<false>(warp, nullptr);
    if (warp.signal == Signal::warp_sync) --warp.executed;  // it waits before that instruction
    run.warp_instructions += warp.executed;
    if (recorded) run.recorder->end_turn(turn_end(warp.signal), static_cast<std::uint16_t>(warp.executed));
    warp.store_group();
    if (warp.groups.size() > 1) warp.merge_groups();
    if (warp.groups.size() == 1) warp.groups.front().laps.clear();
}

}  // namespace lanescope::simt
