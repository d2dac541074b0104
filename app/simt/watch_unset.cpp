#include "simt/watch_unset.h"

#include <array>

#include "simt/decoder.h"
#include "simt/faults.h"
#include "simt/frame_layout.h"
#include "simt/run.h"
#include "simt/warp.h"

namespace lanescope::simt {

namespace {

using Rule = UnsetUse::Rule;

Mask* masks_of(const DecodedFunction& function, const Frame& frame) {
    return reinterpret_cast<Mask*>(frame.rows + function.unset_offset);
}

template <class L>
Mask lanes_equal(const Warp& warp, Ref ref, L value) {
    const L* row = warp.row<L>(ref);
    Mask lanes = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        lanes |= static_cast<Mask>(row[lane] == value ? 1u : 0u) << lane;
    return lanes;
}

// Lanes whose operand has no bit set, or all of them.
Mask lanes_all(const Warp& warp, Ref ref, unsigned width, bool ones) {
    if (width == 0) return ones ? warp.predicate(ref) : ~warp.predicate(ref);
    if (width == 8) return lanes_equal<std::uint64_t>(warp, ref, ones ? ~0ull : 0);
    return lanes_equal<std::uint32_t>(warp, ref, !ones ? 0 : width == 2 ? 0xffffu : ~0u);
}

// One execution of one watched instruction.
class Watch {
  public:
    Watch(Warp& warp, const Decoded& decoded, const UnsetTable::Watched& watched, Mask mask)
        : warp_(warp),
          decoded_(decoded),
          watched_(watched),
          use_(watched.use),
          mask_(mask),
          frame_(*warp.frame),
          masks_(masks_of(function_of(frame_), frame_)) {}

    void run() {
        for (const UnsetUse::Check& check : use_.checks)
            look(check);
        switch (use_.rule) {
            case Rule::call:
                return call();
            case Rule::ret:
                return give_back();
            case Rule::shuffle:
            case Rule::vote:
            case Rule::collective:
                return exchange();
            default:
                break;
        }
        std::array<Mask, most_flows> unset{};
        for (std::size_t i = 0; i < flows(); ++i)
            unset[i] = combined(use_.flows[i]);
        const Mask undecided = of(use_.guard) & warp_.active;
        execute();
        for (std::size_t i = 0; i < flows(); ++i)
            assign(use_.flows[i].target, mask_ | undecided, unset[i] | undecided);
    }

  private:
    static constexpr std::size_t most_flows = 16;

    std::size_t flows() const { return std::min(use_.flows.size(), most_flows); }
    const DecodedFunction& function_of(const Frame& frame) const {
        return warp_.run->program.functions[frame.function];
    }
    Mask of(std::uint32_t row) const { return row == UnsetUse::nothing ? 0 : masks_[row]; }
    void assign(std::uint32_t row, Mask lanes, Mask unset) {
        masks_[row] = (masks_[row] & ~lanes) | (unset & lanes);
    }

    void execute() {
        if (mask_ != 0 || watched_.control)
            (warp_.run->traced ? watched_.traced : watched_.plain)(warp_, decoded_, mask_);
    }

    // What was reported is not reported again where the same register is looked at next.
    void look(const UnsetUse::Check& check) {
        const Mask bad = masks_[check.row] & (check.guard ? warp_.active : mask_);
        if (bad == 0) return;
        report_unset(warp_, warp_.run->pc_of(decoded_), bad, check);
        masks_[check.row] &= ~bad;
    }

    Mask sources(const UnsetUse::Flow& flow) const {
        Mask unset = 0;
        for (const std::uint32_t row : flow.sources)
            unset |= masks_[row];
        return unset;
    }

    Mask combined(const UnsetUse::Flow& flow) const {
        const Mask unset = sources(flow) & mask_;
        if (unset == 0) return 0;
        switch (use_.rule) {
            case Rule::conjunction:
                return unset & ~decided(false);
            case Rule::disjunction:
                return unset & ~decided(true);
            case Rule::selection: {
                const Mask first = condition();
                return of(use_.operand[2]) | (of(use_.operand[0]) & first) | (of(use_.operand[1]) & ~first);
            }
            case Rule::comparison:
                return compared();
            default:
                return unset;
        }
    }

    // Lanes in which an operand that is set gives the result of "and" or "or" alone.
    Mask decided(bool ones) const {
        return (lanes_all(warp_, decoded_.a, use_.width, ones) & ~of(use_.operand[0])) |
               (lanes_all(warp_, decoded_.b, use_.width, ones) & ~of(use_.operand[1]));
    }

    Mask condition() const {
        return warp_.predicate(decoded_.c) ^ (decoded_.mode & combine::negated ? all_lanes : 0);
    }

    Mask compared() const {
        const Mask operands = of(use_.operand[0]) | of(use_.operand[1]), c = of(use_.operand[2]);
        switch (decoded_.mode & combine::operation) {
            case combine::conjunction:
                return c | (operands & condition());
            case combine::disjunction:
                return c | (operands & ~condition());
            default:
                return c | operands;
        }
    }

    // Lanes see each other's values, perhaps in several groups and phases; see exec_warp.cpp.
    void exchange() {
        Rendezvous& meeting = warp_.rendezvous;
        const Rendezvous::Phase phase = meeting.phase;
        if (phase != Rendezvous::Phase::finish)
            meeting.unset = (meeting.unset & ~mask_) | (of(use_.operand[0]) & mask_);
        execute();
        const bool direct =
            phase == Rendezvous::Phase::direct && warp_.signal != Signal::warp_sync && meeting.lanes == mask_;
        if (mask_ == 0 || (phase != Rendezvous::Phase::finish && !direct)) return;
        const Mask operands = of(use_.operand[1]) | of(use_.operand[2]);
        for (std::size_t i = 0; i < flows(); ++i) {
            const bool second = use_.rule == Rule::shuffle && i > 0;  // whether the source lane is in range
            assign(use_.flows[i].target, mask_, operands | (second ? 0 : exchanged()));
        }
    }

    Mask exchanged() const {
        const Rendezvous& meeting = warp_.rendezvous;
        const Mask unset = meeting.unset & meeting.lanes;
        if (use_.rule != Rule::shuffle) return unset != 0 ? all_lanes : 0;
        Mask taken = 0;
        for_each_lane(mask_, [&](unsigned lane) {
            if (has_lane(unset, meeting.source[lane] % warp_size)) taken |= lane_bit(lane);
        });
        return taken;
    }

    void call() {
        std::array<Mask, most_flows> given{};
        const std::size_t count = std::min(use_.arguments.size(), most_flows);
        for (std::size_t i = 0; i < count; ++i)
            given[i] = masks_[use_.arguments[i].row];
        for (const UnsetPiece& piece : use_.results)
            assign(piece.row, mask_, 0);
        execute();
        const Frame& entered = *warp_.frame;
        if (&entered == &frame_ || entered.parent != &frame_) return;
        const DecodedFunction& callee = function_of(entered);
        for (const UnsetPiece& to : callee.unset.parameters)
            for (std::size_t i = 0; i < count; ++i)
                if (use_.arguments[i].item == to.item && use_.arguments[i].offset == to.offset)
                    masks_of(callee, entered)[to.row] |= given[i] & warp_.active;
    }

    void give_back() {
        const Frame* caller = frame_.parent;
        const UnsetTable::Watched* call =
            caller == nullptr ? nullptr : warp_.run->program.unset.find(frame_.call_pc);
        if (call != nullptr) {
            Mask* masks = masks_of(function_of(*caller), *caller);
            for (const UnsetPiece& to : call->use.results)
                for (const UnsetPiece& from : function_of(frame_).unset.results)
                    if (from.item == to.item && from.offset == to.offset)
                        masks[to.row] = (masks[to.row] & ~mask_) | (masks_[from.row] & mask_);
        }
        execute();
    }

    Warp& warp_;
    const Decoded& decoded_;
    const UnsetTable::Watched& watched_;
    const UnsetUse& use_;
    const Mask mask_;
    const Frame& frame_;
    Mask* const masks_;
};

void run_watched(Warp& warp, const Decoded& decoded, Mask mask) {
    Watch(warp, decoded, *warp.run->program.unset.find(warp.run->pc_of(decoded)), mask).run();
}

void watch(Program& program, std::uint32_t pc, UnsetUse use) {
    UnsetTable::Watched watched;
    Decoded &plain = program.code[pc], &traced = program.traced_code[pc];
    watched.plain = plain.run;
    watched.traced = traced.run;
    watched.control = (plain.flags & decoded_flag::control) != 0;
    plain.run = traced.run = &run_watched;
    if (use.guarded()) {  // a guard that was never set may turn every lane off
        plain.flags |= decoded_flag::control;
        traced.flags |= decoded_flag::control;
    }
    watched.use = std::move(use);
    program.unset.at.resize(program.code.size(), UnsetUse::nothing);
    program.unset.at[pc] = static_cast<std::uint32_t>(program.unset.watched.size());
    program.unset.watched.push_back(std::move(watched));
}

}  // namespace

void watch_unset(UnsetProgram found, Program& program) {
    program.unset.names = std::move(found.names);
    for (std::size_t i = 0; i < found.functions.size(); ++i) {
        FunctionUnset& unset = found.functions[i];
        DecodedFunction& function = program.functions[i];
        if (unset.frame.masks == 0) continue;
        function.unset_offset = function.frame_bytes;
        function.frame_bytes += (unset.frame.masks * sizeof(Mask) + row4_bytes - 1) / row4_bytes * row4_bytes;
        for (auto& [instruction, use] : unset.uses)
            watch(program, function.first_pc + instruction, std::move(use));
        function.unset = std::move(unset.frame);
    }
    if (program.unset.watched.empty()) return;
    mark_lengths(program.code);
    mark_lengths(program.traced_code);
}

void begin_unset(const DecodedFunction& function, const Frame& frame, Mask lanes) {
    Mask* masks = masks_of(function, frame);
    for (std::uint32_t i = 0; i < function.unset.masks; ++i)
        masks[i] = i < function.unset.unset_at_entry ? masks[i] | lanes : masks[i] & ~lanes;
}

Exec executor_of(const Warp& warp, const Decoded& decoded) {
    if (decoded.run != &run_watched) return decoded.run;
    const UnsetTable::Watched& watched = *warp.run->program.unset.find(warp.run->pc_of(decoded));
    return warp.run->traced ? watched.traced : watched.plain;
}

}  // namespace lanescope::simt
