#include "trace/lane_states.h"

#include <algorithm>
#include <bit>

#include "trace/events.h"

namespace lanescope::trace {
namespace {

void note(std::array<std::uint32_t, warp_size>& of, Mask mask, std::uint32_t turn) {
    for (Mask rest = mask; rest != 0; rest &= rest - 1)
        of[static_cast<unsigned>(std::countr_zero(rest))] = turn;
}

}  // namespace

const LaneStates::Warp& LaneStates::warp(std::uint32_t launch, std::uint32_t block, std::uint32_t number) {
    const auto [found, added] = warps_.try_emplace({launch, block, number});
    Warp& warp = found->second;
    if (!added) return warp;
    warp.turns = &index_.turns(launch, block, number);
    add_marks(warp);
    add_divergences(warp);
    add_releases(warp, trace_.launches[launch], block);
    return warp;
}

void LaneStates::add_marks(Warp& warp) const {
    const auto& turns = *warp.turns;
    const std::size_t marks = (turns.size() + spacing - 1) / spacing + 1;
    warp.last.resize(marks);
    warp.next.resize(marks);
    LaneTurns seen;
    seen.fill(never);
    for (std::size_t i = 0; i < marks * spacing; ++i) {
        if (i % spacing == 0) warp.last[i / spacing] = seen;
        if (i < turns.size()) note(seen, trace_.turns[turns[i]].mask, static_cast<std::uint32_t>(i));
    }
    seen.fill(never);
    for (std::size_t i = marks * spacing; i-- > 0;) {
        if (i < turns.size()) note(seen, trace_.turns[turns[i]].mask, static_cast<std::uint32_t>(i));
        if (i % spacing == 0) warp.next[i / spacing] = seen;
    }
}

void LaneStates::add_divergences(Warp& warp) const {
    for (const std::uint64_t turn : *warp.turns) {
        if ((trace_.turns[turn].marks & TurnMark::branch_diverged) == 0) continue;
        EventReader reader(trace_, turn);
        Event event;
        while (reader.next(event)) {
            if (event.kind != EventKind::branch || event.newly_mask == 0 || event.newly_mask == event.mask)
                continue;
            const std::uint32_t line = line_of(trace_, trace_.turns[turn], event.pc);
            warp.divergences.push_back({turn, event.mask, event.newly_mask, line});
        }
    }
}

void LaneStates::add_releases(Warp& warp, const Launch& launch, std::uint32_t block) const {
    for (const BarrierRelease& release : trace_.releases)
        if (release.block == block && release.turn > launch.first_turn && release.turn <= launch.end_turn)
            warp.releases.push_back(release.turn);
}

// `count` is the number of the warp's turns before the position.
LaneStates::Neighbours LaneStates::neighbours(const Warp& warp, std::size_t count) const {
    const auto& turns = *warp.turns;
    Neighbours near;
    const std::size_t before = count / spacing, after = (count + spacing - 1) / spacing;
    near.last = warp.last[before];
    for (std::size_t i = before * spacing; i < count; ++i)
        note(near.last, trace_.turns[turns[i]].mask, static_cast<std::uint32_t>(i));
    near.next = warp.next[after];
    for (std::size_t i = std::min(after * spacing, turns.size()); i-- > count;)
        note(near.next, trace_.turns[turns[i]].mask, static_cast<std::uint32_t>(i));
    return near;
}

bool LaneStates::exited(std::uint64_t turn, unsigned lane) const {
    if ((trace_.turns[turn].marks & TurnMark::lanes_exited) == 0) return false;
    EventReader reader(trace_, turn);
    Event event;
    while (reader.next(event))
        if (event.kind == EventKind::exit && (event.mask >> lane & 1) != 0) return true;
    return false;
}

LaneInfo LaneStates::lane_at(const Warp& warp, const Neighbours& near, unsigned lane, std::size_t count,
                             Mask running, std::uint64_t active_from, std::uint64_t position) const {
    const auto& turns = *warp.turns;
    const auto place = [&](LaneStatus status, std::uint32_t turn) {
        const Turn& at = trace_.turns[turns[turn]];
        return LaneInfo{status, at.line, at.pc, 0};
    };
    const std::uint32_t last = near.last[lane], next = near.next[lane];
    if (last == never)
        return next == never ? LaneInfo{LaneStatus::unstarted, 0, 0, 0} : place(LaneStatus::unstarted, next);
    const std::uint64_t turn = turns[last];
    if (turn >= active_from) return place(LaneStatus::active, last);
    const TurnEnd end = trace_.turns[turn].end;
    if (end == TurnEnd::exited || exited(turn, lane)) return place(LaneStatus::finished, last);
    if (end == TurnEnd::fault) return place(LaneStatus::faulted, last);
    if (end == TurnEnd::barrier) {
        const auto release = std::upper_bound(warp.releases.begin(), warp.releases.end(), turn);
        if (release == warp.releases.end() || *release > position) return place(LaneStatus::at_barrier, last);
    }
    const bool runs = (running >> lane & 1) != 0;
    const bool runs_next = runs && count < turns.size();
    if (end == TurnEnd::warp_sync && !runs_next) return place(LaneStatus::at_warp_sync, last);
    return place(runs ? LaneStatus::ready : LaneStatus::diverged, next == never ? last : next);
}

// Finds for each diverged lane the last branch that sent it and the running lanes along different paths.
void LaneStates::add_splits(const Warp& warp, Mask running, std::uint64_t position,
                            std::array<LaneInfo, warp_size>& lanes) const {
    Mask pending = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        if (lanes[lane].status == LaneStatus::diverged) pending |= Mask{1} << lane;
    auto at = std::lower_bound(warp.divergences.begin(), warp.divergences.end(), position,
                               [](const Divergence& one, std::uint64_t turn) { return one.turn < turn; });
    while (pending != 0 && at != warp.divergences.begin()) {
        --at;
        const Mask stayed = at->active & ~at->taken;
        Mask split = 0;
        if ((running & stayed) != 0) split |= at->taken & at->active;
        if ((running & at->taken & at->active) != 0) split |= stayed;
        for (Mask rest = split & pending; rest != 0; rest &= rest - 1)
            lanes[static_cast<unsigned>(std::countr_zero(rest))].split_line = at->line;
        pending &= ~split;
    }
}

std::array<LaneInfo, warp_size> LaneStates::at(std::uint32_t launch, std::uint32_t block,
                                               std::uint32_t number, std::uint64_t active_from,
                                               std::uint64_t position) {
    std::array<LaneInfo, warp_size> lanes{};
    if (launch >= trace_.launches.size()) return lanes;
    const Launch& in = trace_.launches[launch];
    if (number >= in.warps_per_block() || block >= in.grid.count()) return lanes;
    const Warp& of = warp(launch, block, number);
    const auto& turns = *of.turns;
    const auto count =
        static_cast<std::size_t>(std::lower_bound(turns.begin(), turns.end(), position) - turns.begin());
    const Neighbours near = neighbours(of, count);
    // The other lanes wait for these: the lanes of the requested step, or else those that run next.
    Mask running = 0;
    for (std::size_t i = count; i > 0 && turns[i - 1] >= active_from && running != ~Mask{0}; --i)
        running |= trace_.turns[turns[i - 1]].mask;
    if (running == 0 && !turns.empty()) running = trace_.turns[turns[std::min(count, turns.size() - 1)]].mask;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        if (std::uint64_t{number} * warp_size + lane < in.block.count())
            lanes[lane] = lane_at(of, near, lane, count, running, active_from, position);
    add_splits(of, running, position, lanes);
    return lanes;
}

}  // namespace lanescope::trace
