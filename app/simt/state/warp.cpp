#include "simt/state/warp.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "simt/state/async.h"
#include "simt/state/block.h"
#include "simt/state/launch_check.h"
#include "simt/state/launch_context.h"
#include "simt/state/watch_uninit.h"

namespace lanescope::simt {

namespace {

constexpr std::uint32_t max_depth = 512;

}  // namespace

const Program& program_of(const Warp& warp) {
    return warp.run->program;
}

Warp::Warp(LaunchContext& owner, Block& home, std::uint32_t index, Mask existing)
    : run(&owner),
      block(&home),
      number(index),
      local_start(window::local_of(home.index, first_thread())),
      live(existing) {
    base[static_cast<std::size_t>(Base::constants)] =
        reinterpret_cast<std::byte*>(const_cast<std::uint64_t*>(owner.program.constants.data()));
    base[static_cast<std::size_t>(Base::warp)] = owner.warp_rows_of(index);
    base[static_cast<std::size_t>(Base::block)] = home.rows();
    base[static_cast<std::size_t>(Base::launch)] = reinterpret_cast<std::byte*>(owner.launch_rows.data());
    Group group;
    group.mask = existing;
    group.pc = owner.program.functions[owner.kernel.function].first_pc;
    group.frame = enter(existing, owner.kernel.function, trace::none);
    if (group.frame != nullptr) groups.push_back(group);
}

Warp::~Warp() {
    for (const Group& group : groups)  // a launch that was stopped
        for (Frame* at = group.frame; at != nullptr;) {
            Frame* parent = at->parent;
            leave(at, group.mask);
            at = parent;
        }
    local.release(run->budget);
}

int Warp::next_of_several() const {
    int best = -1;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (groups[i].state != GroupState::ready) continue;
        if (best < 0) {
            best = static_cast<int>(i);
            continue;
        }
        const Group& leader = groups[static_cast<std::size_t>(best)];
        if (groups[i].held_back != leader.held_back
                ? groups[i].held_back < leader.held_back
                : compare_positions(run->program, groups[i].position(), leader.position()) < 0)
            best = static_cast<int>(i);
    }
    return best;
}

bool Warp::only_spins() const {
    return std::all_of(groups.begin(), groups.end(), [](const Group& group) {
        return group.state != GroupState::ready || group.held_back != 0;
    });
}

void Warp::load_group(std::size_t index) {
    current = index;
    const Group& group = groups[index];
    active = group.mask;
    pc = group.pc;
    signal = Signal::none;
    line = group.line;
    polled = group.polled;
    progressed = group.progressed;
    changed = false;
    poll = group.poll;
    executed = 0;
    use_frame(group.frame);
}

void Warp::store_group() {
    Group& group = groups[current];
    group.mask = active;
    group.pc = pc;
    group.frame = frame;
    group.line = line;
    group.polled = polled;
    group.progressed = progressed;
    group.poll = poll;
    if (progressed)  // a thread that polls may find something new
        for (Group& other : groups)
            other.held_back = 0;
    if (active == 0) groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(current));
}

// Under a schedule of threads lanes stay apart, except before an instruction that needs them all.
void Warp::gather_lanes() {
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const auto with = [&](const Group& other) {
            return other.state == GroupState::at_warp_sync && other.frame == groups[i].frame &&
                   other.pc == groups[i].pc;
        };
        Mask here = 0;
        for (const Group& group : groups)
            if (with(group)) here |= group.mask;
        if (here != live || groups[i].state != GroupState::at_warp_sync) continue;
        Group whole = groups[i];
        whole.mask = live;
        whole.state = GroupState::ready;
        groups.assign(1, whole);
        return;
    }
}

void Warp::part_lanes() {
    for (std::size_t i = groups.size(); i-- > 0;) {
        const Group whole = groups[i];
        const Mask others = whole.mask & (whole.mask - 1);
        groups[i].mask = whole.mask & ~others;
        for_each_lane(others, [&](unsigned lane) {
            groups.push_back(whole);
            groups.back().mask = lane_bit(lane);
        });
    }
}

void Warp::merge_groups() {
    if (run->by_thread()) return gather_lanes();
    for (std::size_t i = 0; i < groups.size(); ++i) {
        for (std::size_t k = i + 1; k < groups.size();) {
            Group& a = groups[i];
            const Group& b = groups[k];
            // A group that waits in a warp sync stands before that instruction; the merged group may be
            // complete.
            const bool waits = a.state == GroupState::at_barrier || b.state == GroupState::at_barrier;
            const bool together = a.frame == b.frame && a.pc == b.pc &&
                                  (!waits || (a.state == b.state && a.wait_pc == b.wait_pc));
            if (!together) {
                ++k;
                continue;
            }
            if (!waits) a.state = GroupState::ready;
            a.mask |= b.mask;
            a.ran_past = a.ran_past || b.ran_past;
            a.held_back = std::min(a.held_back, b.held_back);
            a.spins = std::min(a.spins, b.spins);
            merge_laps(a.laps, b.laps);
            groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(k));
        }
    }
}

void Warp::split(Mask leaving, std::uint32_t leaving_pc, Frame* leaving_frame, std::uint32_t from) {
    Group group = groups[current];
    group.mask = leaving;
    group.pc = leaving_pc;
    group.frame = leaving_frame;
    group.line = line;
    group.polled = polled;
    group.progressed = progressed;
    if (leaving_frame != frame) forget_laps(group.laps, frame);
    if (from != trace::none && !run->by_thread())
        count_round(run->program, group.laps, leaving_frame, from, leaving_pc);
    groups.push_back(std::move(group));
    active &= ~leaving;
}

void Warp::note_jump(std::uint32_t from) {
    if (groups.size() < 2 || active == 0 || run->by_thread()) return;
    count_round(run->program, groups[current].laps, frame, from, pc);
}

void Warp::retire(Mask lanes) {
    if (block->async != nullptr) finish_all_stores(*this, lanes);
    for (Frame* at = frame; at != nullptr;) {
        Frame* parent = at->parent;
        leave(at, lanes);
        at = parent;
    }
    live &= ~lanes;
    active &= ~lanes;
    if (block->async != nullptr) finish_abandoned_copies(*this);
    for (Group& group : groups)  // groups that waited for these lanes try again
        if (group.state == GroupState::at_warp_sync) group.state = GroupState::ready;
    block->barriers_changed = true;
}

Frame* Warp::enter(Mask lanes, std::uint32_t function, std::uint32_t call_pc) {
    Frame* parent = call_pc == trace::none ? nullptr : frame;
    const DecodedFunction& callee = run->program.functions[function];
    Frame* entered = nullptr;
    if (parent != nullptr)
        for (Frame* child : parent->children)
            if (child->call_pc == call_pc && child->function == function) entered = child;
    if (entered == nullptr) {
        const std::uint32_t local_base = parent == nullptr ? 0 : parent->local_end;
        if (parent != nullptr && parent->depth + 1 >= max_depth) return nullptr;
        if (std::uint64_t{local_base} + callee.local_bytes > max_local_bytes) return nullptr;
        if (!local.reserve(std::uint64_t{local_base} + callee.local_bytes, run->budget)) return nullptr;
        entered = run->frames.take(function);
        if (entered == nullptr) return nullptr;
        if (run->traced && entered->variables == nullptr) {
            if (!run->frames.charge(FrameVariables::cost_of(callee))) {
                run->frames.give(entered);
                return nullptr;
            }
            entered->variables = std::make_unique<FrameVariables>();
        }
        entered->parent = parent;
        entered->call_pc = call_pc;
        entered->call_line = line;
        entered->depth = parent == nullptr ? 0 : parent->depth + 1;
        entered->local_base = local_base;
        entered->local_end = local_base + callee.local_bytes;
        entered->lanes = 0;
        std::fill_n(reinterpret_cast<std::uint64_t*>(entered->rows), warp_size, local_base);
        if (parent != nullptr) parent->children.push_back(entered);
    }
    entered->lanes |= lanes;
    if (callee.uninit.masks != 0) begin_uninit(callee, *entered, lanes);
    if (callee.local_bytes != 0)
        for_each_lane(lanes,
                      [&](unsigned lane) { local.clear(lane, entered->local_base, callee.local_bytes); });
    if (run->traced) entered->variables->reset(callee, lanes);
    return entered;
}

bool Warp::grow_stack(Mask lanes, std::uint64_t bytes, std::uint64_t alignment, std::uint32_t& start_offset) {
    const std::uint64_t start = (frame->local_end + alignment - 1) / alignment * alignment;
    const std::uint64_t end = (start + bytes + 15) / 16 * 16;
    if (bytes > max_local_bytes || end > max_local_bytes || !local.reserve(end, run->budget)) return false;
    start_offset = static_cast<std::uint32_t>(start);
    for_each_lane(lanes, [&](unsigned lane) { local.clear(lane, frame->local_end, end - frame->local_end); });
    frame->local_end = static_cast<std::uint32_t>(end);
    return true;
}

void Warp::leave(Frame* left, Mask lanes) {
    left->lanes &= ~lanes;
    if (left->lanes != 0) return;
    if (left->parent != nullptr) std::erase(left->parent->children, left);
    run->frames.give(left);
}

bool Warp::other_group_due() const {
    const std::uint32_t held_back = groups[current].held_back;
    const Position self{pc, frame, &groups[current].laps};
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const Group& other = groups[i];
        if (i == current || other.state == GroupState::at_barrier) continue;
        const int order = compare_positions(run->program, other.position(), self);
        if (order == 0) return true;  // they meet
        if (other.state != GroupState::ready) continue;
        if (other.held_back < held_back || (other.held_back == held_back && order < 0)) return true;
    }
    return false;
}

std::uint32_t Warp::straight_limit() const {
    std::uint32_t limit = ~0u;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const Group& other = groups[i];
        if (i == current || other.state == GroupState::at_barrier || other.frame != frame || other.pc <= pc)
            continue;
        limit = std::min(limit, other.pc - pc);
    }
    return limit;
}

}  // namespace lanescope::simt
