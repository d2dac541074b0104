#include "simt/state/watch_uninit.h"

#include <array>

#include "simt/program/frame_layout.h"
#include "simt/program/program.h"
#include "simt/state/faults.h"
#include "simt/state/launch_context.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

namespace {

using Rule = UninitUse::Rule;

Mask* masks_of(const DecodedFunction& function, const Frame& frame) {
    return reinterpret_cast<Mask*>(frame.rows + function.uninit_offset);
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
    Watch(Warp& warp, const Decoded& decoded, const UninitTable::Watched& watched, Mask mask)
        : warp_(warp),
          decoded_(decoded),
          watched_(watched),
          use_(watched.use),
          mask_(mask),
          frame_(*warp.frame),
          masks_(masks_of(function_of(frame_), frame_)) {}

    void run() {
        for (const UninitUse::Check& check : use_.checks)
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
        std::array<Mask, max_flows> uninit{};
        for (std::size_t i = 0; i < flows(); ++i)
            uninit[i] = combined(use_.flows[i]);
        const Mask undecided = of(use_.guard) & warp_.active;
        execute();
        for (std::size_t i = 0; i < flows(); ++i)
            assign(use_.flows[i].target, mask_ | undecided, uninit[i] | undecided);
    }

  private:
    static constexpr std::size_t max_flows = 16;

    std::size_t flows() const { return std::min(use_.flows.size(), max_flows); }
    const DecodedFunction& function_of(const Frame& frame) const {
        return warp_.run->program.functions[frame.function];
    }
    Mask of(std::uint32_t row) const { return row == UninitUse::nothing ? 0 : masks_[row]; }
    void assign(std::uint32_t row, Mask lanes, Mask uninit) {
        masks_[row] = (masks_[row] & ~lanes) | (uninit & lanes);
    }

    void execute() {
        if (mask_ != 0 || watched_.control)
            (warp_.run->traced ? watched_.traced : watched_.plain)(warp_, decoded_, mask_);
    }

    // A reported register is not reported again at its next use.
    void look(const UninitUse::Check& check) {
        const Mask bad = masks_[check.row] & (check.guard ? warp_.active : mask_);
        if (bad == 0) return;
        report_uninit(warp_, warp_.run->pc_of(decoded_), bad, check);
        masks_[check.row] &= ~bad;
    }

    Mask sources(const UninitUse::Flow& flow) const {
        Mask uninit = 0;
        for (const std::uint32_t row : flow.sources)
            uninit |= masks_[row];
        return uninit;
    }

    Mask combined(const UninitUse::Flow& flow) const {
        const Mask uninit = sources(flow) & mask_;
        if (uninit == 0) return 0;
        switch (use_.rule) {
            case Rule::conjunction:
                return uninit & ~decided(false);
            case Rule::disjunction:
                return uninit & ~decided(true);
            case Rule::selection: {
                const Mask first = condition();
                return of(use_.operand[2]) | (of(use_.operand[0]) & first) | (of(use_.operand[1]) & ~first);
            }
            case Rule::comparison:
                return compared();
            default:
                return uninit;
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
            meeting.uninit = (meeting.uninit & ~mask_) | (of(use_.operand[0]) & mask_);
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
        const Mask uninit = meeting.uninit & meeting.lanes;
        if (use_.rule != Rule::shuffle) return uninit != 0 ? all_lanes : 0;
        Mask taken = 0;
        for_each_lane(mask_, [&](unsigned lane) {
            if (has_lane(uninit, meeting.source[lane] % warp_size)) taken |= lane_bit(lane);
        });
        return taken;
    }

    void call() {
        std::array<Mask, max_flows> given{};
        const std::size_t count = std::min(use_.arguments.size(), max_flows);
        for (std::size_t i = 0; i < count; ++i)
            given[i] = masks_[use_.arguments[i].row];
        for (const UninitPiece& piece : use_.results)
            assign(piece.row, mask_, 0);
        execute();
        const Frame& entered = *warp_.frame;
        if (&entered == &frame_ || entered.parent != &frame_) return;
        const DecodedFunction& callee = function_of(entered);
        for (const UninitPiece& to : callee.uninit.parameters)
            for (std::size_t i = 0; i < count; ++i)
                if (use_.arguments[i].item == to.item && use_.arguments[i].offset == to.offset)
                    masks_of(callee, entered)[to.row] |= given[i] & warp_.active;
    }

    void give_back() {
        const Frame* caller = frame_.parent;
        const UninitTable::Watched* call =
            caller == nullptr ? nullptr : warp_.run->program.uninit.find(frame_.call_pc);
        if (call != nullptr) {
            Mask* masks = masks_of(function_of(*caller), *caller);
            for (const UninitPiece& to : call->use.results)
                for (const UninitPiece& from : function_of(frame_).uninit.results)
                    if (from.item == to.item && from.offset == to.offset)
                        masks[to.row] = (masks[to.row] & ~mask_) | (masks_[from.row] & mask_);
        }
        execute();
    }

    Warp& warp_;
    const Decoded& decoded_;
    const UninitTable::Watched& watched_;
    const UninitUse& use_;
    const Mask mask_;
    const Frame& frame_;
    Mask* const masks_;
};

void run_watched(Warp& warp, const Decoded& decoded, Mask mask) {
    Watch(warp, decoded, *warp.run->program.uninit.find(warp.run->pc_of(decoded)), mask).run();
}

void watch(Program& program, std::uint32_t pc, UninitUse use) {
    UninitTable::Watched watched;
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
    program.uninit.at.resize(program.code.size(), UninitUse::nothing);
    program.uninit.at[pc] = static_cast<std::uint32_t>(program.uninit.watched.size());
    program.uninit.watched.push_back(std::move(watched));
}

}  // namespace

void watch_uninit(UninitProgram found, Program& program) {
    program.uninit.names = std::move(found.names);
    for (std::size_t i = 0; i < found.functions.size(); ++i) {
        FunctionUninit& uninit = found.functions[i];
        DecodedFunction& function = program.functions[i];
        if (uninit.frame.masks == 0) continue;
        function.uninit_offset = function.frame_bytes;
        function.frame_bytes +=
            (uninit.frame.masks * sizeof(Mask) + row4_bytes - 1) / row4_bytes * row4_bytes;
        for (auto& [instruction, use] : uninit.uses)
            watch(program, function.first_pc + instruction, std::move(use));
        function.uninit = std::move(uninit.frame);
    }
    if (program.uninit.watched.empty()) return;
    mark_lengths(program.code);
    mark_lengths(program.traced_code);
}

void begin_uninit(const DecodedFunction& function, const Frame& frame, Mask lanes) {
    Mask* masks = masks_of(function, frame);
    for (std::uint32_t i = 0; i < function.uninit.masks; ++i)
        masks[i] = i < function.uninit.uninit_at_entry ? masks[i] | lanes : masks[i] & ~lanes;
}

Exec executor_of(const Warp& warp, const Decoded& decoded) {
    if (decoded.run != &run_watched) return decoded.run;
    const UninitTable::Watched& watched = *warp.run->program.uninit.find(warp.run->pc_of(decoded));
    return warp.run->traced ? watched.traced : watched.plain;
}

}  // namespace lanescope::simt
