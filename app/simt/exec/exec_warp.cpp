// Operations in which the lanes of a warp see each other (PTX ISA 9.7.9.5-6, 9.7.13.6-15): shfl, vote, match,
// redux, activemask, elect, bar.warp.sync.
//
// An operation does not wait for lanes of its member mask that have exited. A source lane that does not take
// part gives 0 and is reported; hardware leaves the result undefined.
#include <array>

#include "simt/exec/control_parts.h"
#include "simt/exec/executors.h"
#include "simt/lanewise/exec.h"
#include "simt/state/block.h"
#include "simt/state/control.h"
#include "simt/state/divergence_checks.h"
#include "simt/state/faults.h"
#include "simt/state/launch_context.h"
#include "simt/state/watch_uninit.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;
using ptx::Type;

namespace {

// Lanes that name the same member mask synchronise with each other.
void record_meeting(Warp& warp, const Decoded& decoded, Mask lanes, Ref members) {
    if (!warp.block->recorded || warp.run->recorder == nullptr) return;
    while (lanes != 0) {
        Mask together = lanes;
        if (members != no_ref) {
            const auto* row = warp.row<std::uint32_t>(members);
            const std::uint32_t mask = row[first_lane(lanes)];
            for_each_lane(lanes, [&](unsigned lane) {
                if (row[lane] != mask) together &= ~lane_bit(lane);
            });
        }
        record_sync(warp, decoded, trace::SyncKind::meet, together);
        lanes &= ~together;
    }
}

// Runs one phase of the operation for a group that is not the running one.
void run_elsewhere(Warp& warp, const Group& group, Rendezvous::Phase phase) {
    Frame* frame = warp.frame;
    const Decoded& decoded = warp.run->code()[group.wait_pc];
    warp.rendezvous.phase = phase;
    warp.use_frame(group.frame);
    decoded.run(warp, decoded, group.mask);
    warp.use_frame(frame);
}

// Lets groups that wait in the same operation at other places take part, and makes them ready.
void meet(Warp& warp, const Decoded& decoded, Mask mask, Mask together) {
    record_sync(warp, decoded, trace::SyncKind::meet, together);
    warp.rendezvous.lanes = together;
    warp.rendezvous.uninit = 0;
    auto with_others = [&](Rendezvous::Phase phase) {
        for (std::size_t i = 0; i < warp.groups.size(); ++i)
            if (i != warp.current && (warp.groups[i].mask & together) != 0)
                run_elsewhere(warp, warp.groups[i], phase);
    };
    with_others(Rendezvous::Phase::collect);
    warp.rendezvous.phase = Rendezvous::Phase::collect;
    decoded.run(warp, decoded, mask);
    with_others(Rendezvous::Phase::finish);
    warp.rendezvous.phase = Rendezvous::Phase::finish;
    decoded.run(warp, decoded, mask);
    warp.rendezvous.phase = Rendezvous::Phase::direct;
    for (std::size_t i = 0; i < warp.groups.size(); ++i) {
        Group& group = warp.groups[i];
        if (i == warp.current || (group.mask & together) == 0) continue;
        group.state = GroupState::ready;
        group.expects = 0;
        group.pc = group.wait_pc + 1;
    }
    warp.groups[warp.current].expects = 0;
    if (warp.run->by_thread())
        warp.signal = Signal::yielded;  // the last group to arrive stops here, like the others
}

void wait(Warp& warp, const Decoded& decoded, Mask mask) {
    if (mask != warp.active) warp.split(warp.active & ~mask, warp.pc, warp.frame);
    Group& group = warp.groups[warp.current];
    group.state = GroupState::at_warp_sync;
    group.wait_pc = warp.run->pc_of(decoded);
    warp.pc = group.wait_pc;
    warp.signal = Signal::warp_sync;
}

// Lanes of `mask` that name the same member mask as its first lane.
Mask same_members(Warp& warp, Mask mask, Ref members) {
    if (members == no_ref) return mask;
    const auto* row = warp.row<std::uint32_t>(members);
    const std::uint32_t wanted = row[first_lane(mask) % warp_size];
    Mask same = 0;
    for_each_lane(mask, [&](unsigned lane) { same |= row[lane] == wanted ? lane_bit(lane) : 0; });
    return same;
}

// Executes an operation for lanes that name different member masks: each mask is an operation of its own. If
// one of them lacks lanes, the others leave it and execute the instruction for themselves.
void execute_by_members(Warp& warp, const Decoded& decoded, Mask mask, Ref members) {
    const auto* row = warp.row<std::uint32_t>(members);
    bool complete = true;
    for (Mask left = mask; left != 0;) {
        const Mask together = same_members(warp, left, members);
        complete = complete && (row[first_lane(left) % warp_size] & warp.live & ~together) == 0;
        left &= ~together;
    }
    if (!complete) {
        const Mask first = same_members(warp, mask, members);
        warp.split(warp.active & ~first, warp.run->pc_of(decoded), warp.frame);
        return decoded.run(warp, decoded, first);
    }
    while (mask != 0) {
        const Mask together = same_members(warp, mask, members);
        decoded.run(warp, decoded, together);
        mask &= ~together;
    }
}

// Returns whether the lanes of the mask can execute the operation now. If not, they executed it together with
// groups that wait elsewhere, or the group waits.
bool lanes_present(Warp& warp, const Decoded& decoded, Mask mask, Ref members) {
    if (warp.rendezvous.phase != Rendezvous::Phase::direct) return true;
    Mask member = mask;
    if (members != no_ref) {
        member = 0;
        const auto* row = warp.row<std::uint32_t>(members);
        for_each_lane(mask, [&](unsigned lane) { member |= row[lane]; });
    }
    const Mask needed = member & warp.live;
    const bool unnamed = members != no_ref && report_unnamed_lanes(warp, warp.run->pc_of(decoded), mask,
                                                                   warp.row<std::uint32_t>(members));
    if ((needed & ~mask) == 0 || unnamed) {
        warp.groups[warp.current].expects = 0;
        warp.rendezvous.lanes = mask;
        record_meeting(warp, decoded, mask, members);
        return true;
    }
    Mask together = mask;
    for (std::size_t i = 0; i < warp.groups.size(); ++i) {
        const Group& group = warp.groups[i];
        if ((group.mask & needed) == 0) continue;
        if (i != warp.current && group.state == GroupState::at_warp_sync &&
            executor_of(warp, warp.run->code()[group.wait_pc]) == executor_of(warp, decoded))
            together |= group.mask;
    }
    if ((needed & ~together) == 0) {
        meet(warp, decoded, mask, together);
        return false;
    }
    const Mask gone_on = lanes_gone_on(warp, needed & ~together);
    wait(warp, decoded, mask);
    warp.groups[warp.current].expects |= gone_on;
    return false;
}

// The same for operations whose result is made of all lanes of the member mask.
bool members_present(Warp& warp, const Decoded& decoded, Mask mask, Ref members) {
    if (warp.rendezvous.phase == Rendezvous::Phase::direct && same_members(warp, mask, members) != mask) {
        execute_by_members(warp, decoded, mask, members);
        return false;
    }
    return lanes_present(warp, decoded, mask, members);
}

bool collects(const Warp& warp) {
    return warp.rendezvous.phase != Rendezvous::Phase::finish;
}
bool finishes(const Warp& warp) {
    return warp.rendezvous.phase != Rendezvous::Phase::collect;
}

template <class L>
void collect_values(Warp& warp, Ref ref, Mask mask) {
    const L* row = warp.row<L>(ref);
    for_each_lane(mask, [&](unsigned lane) { warp.rendezvous.value[lane] = row[lane]; });
}

enum class Shuffle : std::uint8_t { up, down, bfly, idx };

// The source lane of PTX ISA 9.7.9.6 and whether it is in range.
template <Shuffle kind>
std::pair<unsigned, bool> source_lane(unsigned lane, std::uint32_t b, std::uint32_t c) {
    const unsigned value = b & 31, clamp = c & 31, segment = c >> 8 & 31;
    const int greatest = static_cast<int>((lane & segment) | (clamp & ~segment & 31));
    const unsigned least = lane & segment;
    int j = 0;
    if (kind == Shuffle::up) j = static_cast<int>(lane) - static_cast<int>(value);
    if (kind == Shuffle::down) j = static_cast<int>(lane + value);
    if (kind == Shuffle::bfly) j = static_cast<int>(lane ^ value);
    if (kind == Shuffle::idx) j = static_cast<int>(least | (value & ~segment & 31));
    const bool in_range = kind == Shuffle::up ? j >= greatest : j <= greatest;
    return {in_range ? static_cast<unsigned>(j) : lane, in_range};
}

// dst and e: value and predicate; a: value, b: lane, c: clamp and segment mask, f: member mask.
template <Shuffle kind, bool traced>
void shuffle(Warp& warp, const Decoded& decoded, Mask mask) {
    if (mask == 0 || !lanes_present(warp, decoded, mask, decoded.f)) return;
    if (collects(warp)) collect_values<std::uint32_t>(warp, decoded.a, mask);
    if (!finishes(warp)) return;
    const auto* b = warp.row<std::uint32_t>(decoded.b);
    const auto* c = warp.row<std::uint32_t>(decoded.c);
    std::array<std::uint8_t, warp_size>& source = warp.rendezvous.source;
    std::array<std::uint32_t, warp_size> value{};
    Mask in_range = 0, absent = 0;
    for_each_lane(mask, [&](unsigned lane) {
        const auto [from, valid] = source_lane<kind>(lane, b[lane], c[lane]);
        source[lane] = static_cast<std::uint8_t>(from);
        if (valid) in_range |= lane_bit(lane);
        if (has_lane(warp.rendezvous.lanes, from % warp_size))
            value[lane] = static_cast<std::uint32_t>(warp.rendezvous.value[from % warp_size]);
        else
            absent |= lane_bit(lane);
    });
    if (absent != 0)
        report(warp, trace::ProblemKind::unsynced_lanes, warp.run->pc_of(decoded), absent,
               "took a value from lane " + std::to_string(source[first_lane(absent) % warp_size]) +
                   ", which did not take part in the shuffle");
    if (decoded.dst != no_ref) {
        auto* out = warp.row<std::uint32_t>(decoded.dst);
        for_each_lane(mask, [&](unsigned lane) { out[lane] = value[lane]; });
    }
    if (decoded.e != no_ref) write_predicate(warp, decoded.e, mask, in_range);
    if constexpr (traced)
        if (warp.block->recorded && warp.run->recorder != nullptr)
            warp.run->recorder->exchange(warp.run->pc_of(decoded), static_cast<std::uint16_t>(warp.executed),
                                         mask, source.data());
}

// a: predicate (negated: count is 0), f: member mask.
enum class Vote : std::uint8_t { all, any, uniform, ballot };
template <Vote kind>
void vote(Warp& warp, const Decoded& decoded, Mask mask) {
    if (mask == 0 || !members_present(warp, decoded, mask, decoded.f)) return;
    Mask& votes = warp.rendezvous.predicate;
    if (collects(warp)) {
        const Mask here = warp.predicate(decoded.a) ^ (decoded.count != 0 ? 0 : all_lanes);
        votes = (votes & ~mask) | (here & mask);
    }
    if (!finishes(warp)) return;
    const Mask lanes = warp.rendezvous.lanes, yes = votes & lanes;
    if constexpr (kind == Vote::ballot) {
        write_lanes(warp.row<std::uint32_t>(decoded.dst), mask, [yes](unsigned) { return yes; });
    } else {
        const bool result = kind == Vote::all   ? yes == lanes
                            : kind == Vote::any ? yes != 0
                                                : yes == 0 || yes == lanes;
        write_predicate(warp, decoded.dst, mask, result ? all_lanes : 0);
    }
}

// dst and e: mask and predicate.
template <class L, bool all>
void match(Warp& warp, const Decoded& decoded, Mask mask) {
    if (mask == 0 || !members_present(warp, decoded, mask, decoded.f)) return;
    if (collects(warp)) collect_values<L>(warp, decoded.a, mask);
    if (!finishes(warp)) return;
    const Mask lanes = warp.rendezvous.lanes;
    const auto& value = warp.rendezvous.value;
    auto equal_lanes = [&](unsigned lane) {
        Mask same = 0;
        for_each_lane(lanes,
                      [&](unsigned other) { same |= value[other] == value[lane] ? lane_bit(other) : 0; });
        return same;
    };
    auto* out = decoded.dst == no_ref ? nullptr : warp.row<std::uint32_t>(decoded.dst);
    if constexpr (all) {
        const bool agreed = equal_lanes(first_lane(lanes)) == lanes;
        if (out != nullptr) for_each_lane(mask, [&](unsigned lane) { out[lane] = agreed ? lanes : 0; });
        if (decoded.e != no_ref) write_predicate(warp, decoded.e, mask, agreed ? all_lanes : 0);
    } else if (out != nullptr) {
        for_each_lane(mask, [&](unsigned lane) { out[lane] = equal_lanes(lane); });
    }
}

enum class Reduce : std::uint8_t { add, min, max, conjunction, disjunction, difference };
template <class T, Reduce kind>
void reduce(Warp& warp, const Decoded& decoded, Mask mask) {
    if (mask == 0 || !members_present(warp, decoded, mask, decoded.f)) return;
    if (collects(warp)) collect_values<std::uint32_t>(warp, decoded.a, mask);
    if (!finishes(warp)) return;
    const Mask lanes = warp.rendezvous.lanes;
    T result = static_cast<T>(warp.rendezvous.value[first_lane(lanes) % warp_size]);
    for_each_lane(lanes & (lanes - 1), [&](unsigned lane) {
        const T value = static_cast<T>(warp.rendezvous.value[lane]);
        switch (kind) {
            case Reduce::add:
                result =
                    static_cast<T>(static_cast<std::uint32_t>(result) + static_cast<std::uint32_t>(value));
                break;
            case Reduce::min:
                result = value < result ? value : result;
                break;
            case Reduce::max:
                result = value > result ? value : result;
                break;
            case Reduce::conjunction:
                result &= value;
                break;
            case Reduce::disjunction:
                result |= value;
                break;
            case Reduce::difference:
                result ^= value;
                break;
        }
    });
    const auto bits = static_cast<std::uint32_t>(result);
    write_lanes(warp.row<std::uint32_t>(decoded.dst), mask, [bits](unsigned) { return bits; });
}

void active_mask(Warp& warp, const Decoded& decoded, Mask mask) {
    const Mask active = warp.active;
    if (mask != 0)
        write_lanes(warp.row<std::uint32_t>(decoded.dst), mask, [active](unsigned) { return active; });
}

// The lowest participating lane is elected.
void elect(Warp& warp, const Decoded& decoded, Mask mask) {
    if (mask == 0 || !members_present(warp, decoded, mask, decoded.f)) return;
    if (!finishes(warp)) return;
    const unsigned leader = first_lane(warp.rendezvous.lanes) % warp_size;
    if (decoded.dst != no_ref)
        write_lanes(warp.row<std::uint32_t>(decoded.dst), mask, [leader](unsigned) { return leader; });
    if (decoded.e != no_ref) write_predicate(warp, decoded.e, mask, lane_bit(leader));
}

void warp_barrier(Warp& warp, const Decoded& decoded, Mask mask) {
    if (mask != 0) lanes_present(warp, decoded, mask, decoded.f);
}

template <bool traced>
Exec shuffle_for(const Instruction& i) {
    if (i.has(Mod::up)) return &shuffle<Shuffle::up, traced>;
    if (i.has(Mod::down)) return &shuffle<Shuffle::down, traced>;
    if (i.has(Mod::bfly)) return &shuffle<Shuffle::bfly, traced>;
    return i.has(Mod::idx) ? &shuffle<Shuffle::idx, traced> : nullptr;
}

template <class T>
Exec reduce_for(const Instruction& i) {
    if (i.has(Mod::add)) return &reduce<T, Reduce::add>;
    if (i.has(Mod::min)) return &reduce<T, Reduce::min>;
    if (i.has(Mod::max)) return &reduce<T, Reduce::max>;
    if (i.has(Mod::and_)) return &reduce<T, Reduce::conjunction>;
    if (i.has(Mod::or_)) return &reduce<T, Reduce::disjunction>;
    return i.has(Mod::xor_) ? &reduce<T, Reduce::difference> : nullptr;
}

}  // namespace

bool whole_warp_present(Warp& warp, const Decoded& decoded, Mask mask) {
    if (mask == all_lanes) {
        record_sync(warp, decoded, trace::SyncKind::meet, mask);
        return true;
    }
    if (mask == 0) return false;
    if ((warp.live & ~mask) != 0) {
        wait(warp, decoded, mask);
        return false;
    }
    report(warp, trace::ProblemKind::unsynced_lanes, warp.run->pc_of(decoded), mask,
           "executed an instruction that needs all 32 lanes of the warp without the others");
    return true;
}

Exec select_shuffle(const Instruction& instruction, bool traced) {
    return traced ? shuffle_for<true>(instruction) : shuffle_for<false>(instruction);
}
Exec select_vote(const Instruction& i, bool) {
    if (i.has(Mod::all)) return &vote<Vote::all>;
    if (i.has(Mod::any)) return &vote<Vote::any>;
    if (i.has(Mod::uni)) return &vote<Vote::uniform>;
    return i.has(Mod::ballot) ? &vote<Vote::ballot> : nullptr;
}
Exec select_match(const Instruction& i, bool) {
    const bool wide = ptx::size_bytes(i.type()) == 8;
    if (i.has(Mod::all)) return wide ? &match<std::uint64_t, true> : &match<std::uint32_t, true>;
    return wide ? &match<std::uint64_t, false> : &match<std::uint32_t, false>;
}
Exec select_reduce(const Instruction& i, bool) {
    if (i.type() == Type::s32) return reduce_for<std::int32_t>(i);
    return i.type() == Type::u32 || i.type() == Type::b32 ? reduce_for<std::uint32_t>(i) : nullptr;
}
Exec select_active_mask(const Instruction&, bool) {
    return &active_mask;
}
Exec select_elect(const Instruction&, bool) {
    return &elect;
}
Exec select_warp_barrier(const Instruction&, bool) {
    return &warp_barrier;
}

}  // namespace lanescope::simt
