#include "analysis/flow/flow.h"

#include <algorithm>

#include "analysis/async_copies.h"
#include "analysis/flow/memory.h"
#include "analysis/flow/registers.h"
#include "analysis/flow/steps.h"
#include "trace/events.h"

namespace lanescope::analysis {

namespace {

using trace::Event;
using trace::EventKind;
using trace::Mask;
using trace::Turn;
using StepKind = FlowStep::Kind;

bool changed(const Event& event, unsigned lane, unsigned nth) {
    if (trace::newly_set_of(event, lane, nth) != 0) return true;
    const std::byte* delta = event.deltas + (event.uniform ? 0 : nth * event.delta_bytes);
    return std::any_of(delta, delta + event.delta_bytes, [](std::byte each) { return each != std::byte{0}; });
}

class Follower {
  public:
    Follower(const trace::Trace& trace, const Code& code, const FlowLimits& limits, Flow& flow)
        : trace_(trace),
          flow_(flow),
          graph_(flow.graph),
          steps_(code),
          registers_(trace, steps_, graph_),
          memory_(trace, graph_),
          limits_(limits) {}

    void run(const std::atomic<bool>* cancelled) {
        if (!steps_.known()) return leave_out("the trace holds no PTX");
        for (std::uint32_t launch = 0; launch < trace_.launches.size(); ++launch) {
            begin_launch(launch);
            for (turn_ = trace_.launches[launch].first_turn; turn_ < trace_.launches[launch].end_turn;
                 ++turn_) {
                if ((turn_ & 1023) == 0 && stops(cancelled)) return note_end();
                follow(trace_.turns[turn_]);
                if (graph_.full() && stops(cancelled)) return note_end();
            }
        }
        if (flow_.complete) (void)stops(cancelled);
        note_end();
    }

  private:
    void leave_out(const std::string& why) {
        flow_.complete = false;
        flow_.incomplete = why;
    }

    bool stops(const std::atomic<bool>* cancelled) {
        if (cancelled != nullptr && cancelled->load(std::memory_order_relaxed)) leave_out("it was cancelled");
        if (graph_.size_bytes() + memory_.bytes() + registers_.bytes() > limits_.bytes || graph_.full())
            leave_out("values after turn " + std::to_string(turn_) +
                      " are left out: the flow takes more than " + std::to_string(limits_.bytes >> 20) +
                      " MB");
        return !flow_.complete;
    }

    void begin_launch(std::uint32_t launch) {
        launch_ = &trace_.launches[launch];
        memory_.begin_launch();
        copied_.clear();
        registers_.begin_launch(*launch_);
    }

    // What global memory holds at the end.
    void note_end() {
        flow_.end_turn = turn_;
        flow_.at_end.resize(trace_.symbols.size());
        for (std::size_t i = 0; i < trace_.symbols.size(); ++i) {
            const trace::Symbol& symbol = trace_.symbols[i];
            if (symbol.space != trace::Space::global) continue;
            const std::uint32_t cell = std::max(1u, trace_.program.types[symbol.element].size_bytes);
            const std::uint64_t count = symbol.size_bytes / cell;
            if (count * sizeof(ValueId) > limits_.bytes) continue;
            flow_.at_end[i].reserve(count);
            for (std::uint64_t k = 0; k < count; ++k)
                flow_.at_end[i].push_back(
                    memory_.read(trace::Space::global, 0, symbol.offset + k * cell, cell));
        }
    }

    // --- one turn

    struct Memory {
        Event event;
        bool taken = false;
    };

    void follow(const Turn& turn) {
        accesses_.clear(), exchanges_.clear(), jumps_.clear(), pushes_.clear(), pops_.clear(), exits_.clear();
        trace::EventReader reader(trace_, turn_);
        Event event;
        while (reader.next(event))
            sort(event);
        registers_.begin_turn(turn);
        landed_ = 0;
        mask_ = turn.mask;
        std::uint32_t pc = turn.pc, ordinal = 0;
        for (std::size_t jump = 0; ordinal < turn.instructions; ++jump) {
            const bool jumps = jump < jumps_.size();
            const std::uint32_t last =
                jumps ? std::min<std::uint32_t>(jumps_[jump].ordinal + 1u, turn.instructions)
                      : turn.instructions;
            if (last > ordinal) straight(turn, pc, pc + (last - ordinal), ordinal);
            ordinal = std::max(ordinal, last);
            if (!jumps) break;
            pc = jumps_[jump].pc;
        }
        if (turn.end == trace::TurnEnd::exited) registers_.exit(turn);
    }

    void sort(const Event& event) {
        switch (event.kind) {
            case EventKind::load:
            case EventKind::store:
            case EventKind::atomic:
                accesses_.push_back(event);
                return;
            case EventKind::exchange:
                exchanges_.push_back(event);
                return;
            case EventKind::jump:
                jumps_.push_back(event);
                return;
            case EventKind::push:
                pushes_.push_back(event);
                return;
            case EventKind::pop:
                pops_.push_back(event);
                return;
            case EventKind::exit:
                exits_.push_back(event);
                return;
            case EventKind::patch:
                for (std::uint64_t at = event.base & ~std::uint64_t{3}; at < event.base + event.length;
                     at += 4)
                    if (patches(event, at)) patch(event.space, at);
                return;
            default:
                return;
        }
    }

    void patch(trace::Space space, std::uint64_t offset) {
        memory_.write(space, 0, offset, 4, FlowGraph::outside);
        if (space == trace::Space::global) flow_.patches.push_back({turn_, offset});
    }

    // Whether a word changes.
    static bool patches(const Event& event, std::uint64_t at) {
        for (std::uint64_t byte = std::max(at, event.base);
             byte < std::min(at + 4, event.base + event.length); ++byte)
            if (event.deltas[byte - event.base] != std::byte{0}) return true;
        return false;
    }

    // The instructions [pc, end), which ran one after the other.
    void straight(const Turn& turn, std::uint32_t pc, std::uint32_t end, std::uint32_t ordinal) {
        const std::uint32_t start = pc;
        for (pc = pc < steps_.size() ? steps_.at(pc).next : end; pc < end && pc < steps_.size();
             pc = pc + 1 < steps_.size() ? steps_.at(pc + 1).next : end) {
            land(turn, ordinal + (pc - start), start, ordinal);
            execute(turn, pc, static_cast<std::uint16_t>(ordinal + (pc - start)));
        }
        land(turn, ordinal + (end - start), start, ordinal);
    }

    void execute(const Turn& turn, std::uint32_t pc, std::uint16_t ordinal) {
        const FlowStep& step = steps_.at(pc);
        Mask mask = mask_;
        for (const Event& left : exits_)
            if (left.ordinal < ordinal) mask &= ~left.mask;
        if (mask == 0) return;
        const std::uint32_t function = trace_.program.code_rows[pc].function;
        registers_.enter(mask, function);
        switch (step.kind) {
            case StepKind::nothing:
                return;
            case StepKind::move:
                return move(step, mask);
            case StepKind::operate:
                return operate(step, mask);
            case StepKind::load:
            case StepKind::store:
            case StepKind::atomic:
            case StepKind::compare_swap:
            case StepKind::copy:
                return access(turn, step, pc, ordinal);
            case StepKind::exchange:
                return exchange(turn, step, ordinal);
            case StepKind::reduce:
                return reduce(turn, step, mask, ordinal);
            case StepKind::collective:
                return collect(turn, step, mask, ordinal);
            case StepKind::call:
                return call(pc, function);
            case StepKind::ret:
                return give_back();
        }
    }

    // --- rows

    ValueId value(Row row, unsigned lane) const { return registers_.value(row, lane); }
    void set(Row row, unsigned lane, ValueId made, bool guarded) { registers_.set(row, lane, made, guarded); }

    void move(const FlowStep& step, Mask mask) {
        const std::span<const Row> to = steps_.destinations(step), from = steps_.sources(step);
        // A vector in parameter space moves piece by piece.
        const bool pieces = to.size() > 1 && to.size() == from.size();
        const bool halves = to.size() == 2 && from.size() == 1;
        each_lane(mask, [&](unsigned lane) {
            const ValueId all = together(from, lane);
            for (std::size_t i = 0; i < to.size(); ++i)
                set(to[i], lane,
                    pieces   ? value(from[i], lane)
                    : halves ? graph_.half(all, i == 1)
                             : all,
                    step.guarded);
        });
    }

    ValueId together(std::span<const Row> from, unsigned lane) {
        if (from.size() == 2) return graph_.pair(value(from[0], lane), value(from[1], lane));
        ValueId all = from.empty() ? FlowGraph::constant : value(from[0], lane);
        for (std::size_t i = 1; i < from.size(); ++i)
            all = graph_.join(all, value(from[i], lane));
        return all;
    }

    void operate(const FlowStep& step, Mask mask) {
        const std::span<const Row> to = steps_.destinations(step), from = steps_.sources(step);
        each_lane(mask, [&](unsigned lane) {
            std::array<ValueId, 3> operands{FlowGraph::constant, FlowGraph::constant, FlowGraph::constant};
            for (std::size_t i = 0; i < from.size(); ++i)
                operands[std::min<std::size_t>(i, 2)] =
                    i < 3 ? value(from[i], lane) : graph_.join(operands[2], value(from[i], lane));
            const ValueId made = step.op == Operator::select && operands[0] == operands[1]
                                     ? operands[0]
                                     : graph_.make(step.op, operands[0], operands[1], operands[2]);
            for (const Row row : to)
                set(row, lane, made, step.guarded);
        });
    }

    // --- memory

    std::uint64_t instance(const Turn& turn, const Event& event, unsigned lane) const {
        if (event.space == trace::Space::shared) return event.owner == trace::none ? turn.block : event.owner;
        if (event.space == trace::Space::local)
            return turn.block * launch_->block.count() + turn.warp * lanes_per_warp + lane;
        return 0;
    }

    FlowWrite write_at(const Turn& turn, unsigned lane, std::uint16_t ordinal) const {
        FlowWrite write;
        write.turn = turn_;
        write.block = turn.block;
        write.thread = turn.warp * lanes_per_warp + lane;
        write.ordinal = ordinal;
        return write;
    }

    // A value comes to memory; local memory only hands it on.
    void put(const Turn& turn, const Event& event, unsigned lane, std::uint64_t offset, unsigned width,
             ValueId made) {
        if (width == 8 && graph_.half(made, false) != graph_.half(made, true)) {
            put(turn, event, lane, offset, 4, graph_.half(made, false));
            return put(turn, event, lane, offset + 4, 4, graph_.half(made, true));
        }
        const std::uint64_t of = instance(turn, event, lane);
        if (event.space != trace::Space::local) {
            FlowWrite write = write_at(turn, lane, event.ordinal);
            write.offset = offset;
            write.space = event.space;
            write.owner = event.owner;
            write.atomic = event.kind == EventKind::atomic;
            write.width_bytes = static_cast<std::uint8_t>(width);
            made = graph_.store(made, memory_.read(event.space, of, offset, width), write);
        }
        memory_.write(event.space, of, offset, width, made);
    }

    // Asynchronous copies of earlier instructions that arrive up to this ordinal, while another instruction
    // waits for them. `start` runs at `begin`.
    void land(const Turn& turn, std::uint32_t through, std::uint32_t start, std::uint32_t begin) {
        for (; landed_ < accesses_.size() && accesses_[landed_].ordinal <= through; ++landed_) {
            const Event& event = accesses_[landed_];
            const bool own = event.pc == start + (event.ordinal - begin);
            if (own || event.kind == EventKind::atomic || event.pc >= steps_.size()) continue;
            if (steps_.at(event.pc).kind != StepKind::copy) continue;
            unsigned nth = 0;
            each_lane(event.mask, [&](unsigned lane) { copy(turn, event, lane, nth++); });
        }
    }

    // The source of a copy is read, or its bytes arrive.
    void copy(const Turn& turn, const Event& event, unsigned lane, unsigned nth) {
        const std::uint64_t offset = trace::offset_of(event, lane, nth);
        const unsigned word = event.width % 4 == 0 && offset % 4 == 0 ? 4 : event.width;
        if (event.kind == EventKind::load) {
            std::vector<ValueId> words;
            for (unsigned at = 0; at < event.width; at += word)
                words.push_back(memory_.read(event.space, instance(turn, event, lane), offset + at, word));
            return copied_.issue(turn.block, turn.warp, lane, event.pc, std::move(words));
        }
        const auto words = copied_.arrive(turn.block, turn.warp, lane, event.pc);
        for (unsigned at = 0, i = 0; at < event.width; at += word, ++i)  // what the source lacks is zero
            put(turn, event, lane, offset + at, word,
                words && i < words->size() ? (*words)[i] : FlowGraph::constant);
    }

    void access(const Turn& turn, const FlowStep& step, std::uint32_t pc, std::uint16_t ordinal) {
        for (const Event& event : accesses_) {
            if (event.ordinal != ordinal || (step.kind == StepKind::copy && event.pc != pc)) continue;
            unsigned nth = 0;
            each_lane(event.mask, [&](unsigned lane) {
                access(turn, step, event, lane, nth);
                ++nth;
            });
        }
    }

    void access(const Turn& turn, const FlowStep& step, const Event& event, unsigned lane, unsigned nth) {
        const std::uint64_t offset = trace::offset_of(event, lane, nth);
        const std::uint64_t of = instance(turn, event, lane);
        const std::span<const Row> to = steps_.destinations(step), from = steps_.sources(step);
        const unsigned elements = event.width % step.elements == 0 ? step.elements : 1u;
        const unsigned width = event.width / elements;
        switch (step.kind) {
            case StepKind::load:
                for (unsigned i = 0; i < to.size(); ++i)
                    set(to[i], lane,
                        memory_.read(event.space, of, offset + std::min(i, elements - 1) * width, width),
                        false);
                return;
            case StepKind::store:
                for (unsigned i = 0; i < elements; ++i)
                    put(turn, event, lane, offset + i * width, width,
                        i < from.size() ? value(from[i], lane) : FlowGraph::outside);
                return;
            case StepKind::copy:
                return copy(turn, event, lane, nth);
            default:
                return update(turn, step, event, lane, nth);
        }
    }

    void update(const Turn& turn, const FlowStep& step, const Event& event, unsigned lane, unsigned nth) {
        const std::uint64_t offset = trace::offset_of(event, lane, nth);
        const std::uint64_t of = instance(turn, event, lane);
        const std::span<const Row> to = steps_.destinations(step), from = steps_.sources(step);
        const ValueId before = memory_.read(event.space, of, offset, event.width);
        const ValueId given = from.empty() ? FlowGraph::constant : value(from.back(), lane);
        if (step.kind == StepKind::compare_swap) {
            if (changed(event, lane, nth)) put(turn, event, lane, offset, event.width, given);
        } else {
            put(turn, event, lane, offset, event.width,
                step.op == Operator::store ? given : combine(step.op, before, given));
        }
        for (const Row row : to)
            set(row, lane, before, false);
    }

    // Additions of constants to a constant make no node; memory that is counted in keeps its count.
    ValueId combine(Operator op, ValueId a, ValueId b) { return graph_.make(op, a, b); }

    // --- between lanes

    void exchange(const Turn& turn, const FlowStep& step, std::uint16_t ordinal) {
        const std::span<const Row> to = steps_.destinations(step), from = steps_.sources(step);
        if (to.empty() || from.empty()) return;
        for (const Event& event : exchanges_) {
            if (event.ordinal != ordinal) continue;
            std::array<std::uint8_t, lanes_per_warp> source{};
            trace::source_lanes(event, source.data());
            std::array<ValueId, lanes_per_warp> received{};
            each_lane(event.mask, [&](unsigned lane) {
                const unsigned other = source[lane] % lanes_per_warp;
                const ValueId sent = value(from[0], other);
                received[lane] = other == lane ? sent : handed(turn, lane, other, sent, ordinal);
            });
            each_lane(event.mask, [&](unsigned lane) { set(to[0], lane, received[lane], false); });
        }
    }

    // The halves of a wide value are sent one after the other.
    ValueId handed(const Turn& turn, unsigned lane, unsigned other, ValueId sent, std::uint16_t ordinal) {
        Handed& last = handed_[lane];
        if (last.turn == turn_ && last.warp == registers_.warp() && last.sent == sent &&
            last.other == other && ordinal - last.ordinal < 4)
            return last.received;
        FlowWrite write = write_at(turn, lane, ordinal);
        write.offset = turn.warp * lanes_per_warp + other;
        last = {turn_, registers_.warp(), sent, other, ordinal, graph_.exchange(sent, write)};
        return last.received;
    }

    // The lanes of the mask combine their values in pairs, round by round, as a tree of shuffles does.
    void reduce(const Turn& turn, const FlowStep& step, Mask mask, std::uint16_t ordinal) {
        const std::span<const Row> to = steps_.destinations(step), from = steps_.sources(step);
        if (to.empty() || from.empty()) return;
        std::vector<std::pair<unsigned, ValueId>> parts;  // by lane
        each_lane(mask, [&](unsigned lane) { parts.emplace_back(lane, value(from[0], lane)); });
        for (std::size_t count = parts.size(), half = 0; count > 1; count = half) {
            half = (count + 1) / 2;
            for (std::size_t i = half; i < count; ++i) {
                auto& [lane, sum] = parts[i - half];
                sum = graph_.make(step.op, sum, handed(turn, lane, parts[i].first, parts[i].second, ordinal));
            }
        }
        each_lane(mask, [&](unsigned lane) { set(to[0], lane, parts.front().second, false); });
    }

    // Every lane sees all lanes of the mask.
    void collect(const Turn& turn, const FlowStep& step, Mask mask, std::uint16_t ordinal) {
        const std::span<const Row> to = steps_.destinations(step), from = steps_.sources(step);
        ValueId all = FlowGraph::constant;
        const auto take = [&](ValueId more) { all = graph_.join(all, more); };
        each_lane(mask, [&](unsigned lane) {
            for (const Row row : from)
                take(value(row, lane));
        });
        each_access(ordinal, EventKind::load, [&](const Event& event, unsigned lane, std::uint64_t offset) {
            take(memory_.read(event.space, instance(turn, event, lane), offset, event.width));
        });
        if (step.op == Operator::matrix) all = graph_.make(step.op, all);
        each_access(ordinal, EventKind::store, [&](const Event& event, unsigned lane, std::uint64_t offset) {
            put(turn, event, lane, offset, event.width, all);
        });
        each_lane(mask, [&](unsigned lane) {
            for (const Row row : to)
                set(row, lane, all, false);
        });
    }

    template <class F>
    void each_access(std::uint16_t ordinal, EventKind kind, F&& f) {
        for (const Event& event : accesses_) {
            if (event.ordinal != ordinal || event.kind != kind) continue;
            unsigned nth = 0;
            each_lane(event.mask,
                      [&](unsigned lane) { f(event, lane, trace::offset_of(event, lane, nth++)); });
        }
    }

    // --- calls

    void call(std::uint32_t pc, std::uint32_t caller) {
        if (pushes_.empty()) return;  // a function of the machine
        const Event event = pushes_.front();
        pushes_.erase(pushes_.begin());
        registers_.call(event.mask, event.function, pc, caller);
    }

    void give_back() {
        if (pops_.empty()) return;
        const Event event = pops_.front();
        pops_.erase(pops_.begin());
        registers_.give_back(event.mask);
    }

    struct Handed {
        std::uint64_t turn = ~0ull;
        const FlowRegisters::Warp* warp = nullptr;
        ValueId sent = 0;
        unsigned other = 0;
        std::uint16_t ordinal = 0;
        ValueId received = 0;
    };

    const trace::Trace& trace_;
    Flow& flow_;
    FlowGraph& graph_;
    FlowSteps steps_;
    FlowRegisters registers_;
    FlowMemory memory_;
    FlowLimits limits_;
    const trace::Launch* launch_ = nullptr;
    std::uint64_t turn_ = 0;
    Mask mask_ = 0;
    std::vector<Event> accesses_, exchanges_, jumps_, pushes_, pops_, exits_;
    PendingCopies<std::vector<ValueId>> copied_;  // by 4 bytes
    std::size_t landed_ = 0;                      // of accesses_: those that land() has seen
    std::array<Handed, lanes_per_warp> handed_{};
};

}  // namespace

std::shared_ptr<const Flow> follow_values(const trace::Trace& trace, const Code& code,
                                          const FlowLimits& limits, const std::atomic<bool>* cancelled) {
    auto flow = std::make_shared<Flow>();
    flow->graph = FlowGraph(limits.bytes);
    Follower(trace, code, limits, *flow).run(cancelled);
    return flow;
}

std::shared_ptr<const Flow> SharedFlow::get(const std::atomic<bool>* cancelled) {
    const std::lock_guard lock(mutex_);
    if (flow_) return flow_;
    std::shared_ptr<const Flow> made = follow_values(*trace_, *code_, {}, cancelled);
    if (cancelled != nullptr && cancelled->load()) return made;
    flow_ = made;
    ready_.store(true, std::memory_order_release);
    return made;
}

}  // namespace lanescope::analysis
