// Finds barriers that some lanes of a warp or warps of a block miss, and operations of a warp that lanes of
// their mask miss. On hardware a warp arrives at bar.sync as a whole; here each lane arrives, and behaviour
// that hardware does not promise is reported.
#include "simt/state/divergence_checks.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "simt/state/control.h"
#include "simt/state/faults.h"
#include "simt/state/forward_flow.h"
#include "simt/state/launch_context.h"

namespace lanescope::simt {

bool leaves_directly(const Warp& warp, const Frame& frame, std::uint32_t pc) {
    if (frame.parent != nullptr) return false;
    const Program& program = warp.run->program;
    const DecodedFunction& function = program.functions[frame.function];
    for (unsigned steps = 0; steps < 64 && pc < function.end_pc; ++steps) {
        const Decoded& decoded = warp.run->code()[pc];
        if ((decoded.flags & decoded_flag::flow_only) == 0) return false;
        const ptx::Op op = program.ops[pc];
        if (op == ptx::Op::ret || op == ptx::Op::exit) return true;
        pc = op == ptx::Op::bra ? decoded.target : pc + 1;
    }
    return false;
}

namespace {

// Whether all threads of a warp must meet there. Threads may meet at barrier.sync from different places.
bool is_aligned(const Warp& warp, std::uint32_t pc) {
    return (warp.run->code()[pc].mode & barrier_mode::aligned) != 0;
}

std::string advice(const Warp& warp, std::uint32_t pc) {
    return std::string("; all threads of a block must reach the same ") +
           (is_aligned(warp, pc) ? "__syncthreads()" : "barrier");
}

// Where the kernel itself waits: at the barrier, or at the call of a library's function that has it; none if
// it waits in another function of the user.
std::uint32_t kernel_pc(const Warp& warp, const Frame* frame, std::uint32_t pc) {
    for (; frame->parent != nullptr; frame = frame->parent) {
        if (warp.run->program.functions[frame->function].has_steps) return trace::none;
        pc = frame->call_pc;
    }
    return pc;
}

const Group* waiting_elsewhere(const Warp& warp, std::uint32_t pc) {
    for (const Group& group : warp.groups)
        if (group.state == GroupState::at_barrier && group.wait_pc != pc) return &group;
    return nullptr;
}

// Reports a waiting group and what other lanes do meanwhile.
void report_waiting(Warp& warp, const Group& waiting, trace::ProblemKind kind, const std::string& message,
                    const trace::ProblemSite& second) {
    Frame* running = warp.frame;
    warp.frame = waiting.frame;
    report(warp, kind, waiting.wait_pc, waiting.mask, message, &second);
    warp.frame = running;
}

std::string line_text(const trace::ProblemSite& site) {
    return site.line == 0 ? "" : " (line " + std::to_string(site.line) + ")";
}

void report_apart(Warp& warp, const Group& waiting, std::uint32_t pc, Mask lanes, const std::string& what) {
    const trace::ProblemSite place = site_of(warp, pc, first_lane(lanes));
    report_waiting(warp, waiting, trace::ProblemKind::barrier_divergence,
                   "waited at a barrier while " + threads_text(lanes, warp.first_thread()) +
                       " of the same warp " + what + line_text(place) + advice(warp, waiting.wait_pc),
                   place);
}

trace::ProblemSite waiting_site(Warp& warp, const Group& waiting) {
    Frame* running = warp.frame;
    warp.frame = waiting.frame;
    const trace::ProblemSite site = site_of(warp, waiting.wait_pc, first_lane(waiting.mask));
    warp.frame = running;
    return site;
}

Arrival* arrival_at(Warp& warp, std::uint32_t pc) {
    for (Arrival& arrival : warp.arrivals)
        if (arrival.pc == pc || arrival.pc == trace::none) return &arrival;
    return nullptr;
}

bool is_of_block(const Warp& warp, std::uint32_t pc) {
    const Decoded& decoded = warp.run->code()[pc];
    return decoded.b == no_ref &&
           warp.row<std::uint32_t>(decoded.a)[first_lane(warp.active) % warp_size] == 0;
}

// Reports lanes that left a loop and the kernel while other lanes of the warp reach the loop's barrier again.
void check_arrival(Warp& warp, std::uint32_t pc) {
    const std::uint32_t place = is_of_block(warp, pc) ? kernel_pc(warp, warp.frame, pc) : trace::none;
    Arrival* arrival = place == trace::none ? nullptr : arrival_at(warp, place);
    if (arrival == nullptr) return;
    const Mask gone = arrival->lanes & ~warp.live;
    arrival->pc = place;
    arrival->lanes |= warp.active;
    if (gone != 0)
        report(warp, trace::ProblemKind::barrier_divergence, pc, warp.active,
               "came to a barrier again without " + threads_text(gone, warp.first_thread()) +
                   " of the same warp, which had left the kernel" + line_text(warp.left_at) +
                   advice(warp, pc),
               &warp.left_at);
}

}  // namespace

void check_barrier_alignment(Warp& warp, std::uint32_t pc) {
    check_arrival(warp, pc);
    if (!is_aligned(warp, pc)) return;
    if (warp.skipped != 0)
        report(warp, trace::ProblemKind::barrier_divergence, pc, warp.active,
               "waited at a barrier that " + threads_text(warp.skipped, warp.first_thread()) +
                   " of the same warp never reached: " + (lane_count(warp.skipped) == 1 ? "it" : "they") +
                   " had left the kernel" + line_text(warp.skipped_at) + advice(warp, pc),
               &warp.skipped_at);
    if (warp.groups.size() < 2) return;
    const Group& self = warp.groups[warp.current];
    if (const Group* other = waiting_elsewhere(warp, pc))
        return report_apart(warp, *other, pc, warp.active, "waited at another one");
    if (!self.ran_past) return;
    for (const Group& group : warp.groups)
        if (group.state == GroupState::at_barrier)
            return report_apart(warp, group, pc, warp.active, "ran past it and came back");
}

namespace {

// Whether the warp left the kernel from a place after the barrier from which it could not return to it.
bool went_past(const Warp& gone, Warp& waits, const Group& group) {
    const LaunchContext& run = *gone.run;
    const std::uint32_t place = kernel_pc(waits, group.frame, group.wait_pc);
    if (gone.live != 0 || gone.left_from == trace::none || place == trace::none) return false;
    const std::uint32_t kernel = run.program.function_of(place);
    if (run.program.function_of(gone.left_from) != kernel || gone.left_from < place) return false;
    const auto& rows = run.program.description.code_rows;
    if (rows[gone.left_from].line <= waiting_site(waits, group).line) return false;
    return !reaches(run.program, run.code(), gone.left_from, place);
}

// Whether the warp was at this barrier before it left the kernel.
bool came_before(Warp& gone, const Group& group) {
    const std::uint32_t place = kernel_pc(gone, group.frame, group.wait_pc);
    const Arrival* arrival = place == trace::none ? nullptr : arrival_at(gone, place);
    return gone.live == 0 && arrival != nullptr && arrival->pc == place;
}

Mask existing_lanes(const Warp& warp) {
    const std::uint64_t threads = warp.run->request.block.count();
    return lanes_below(
        static_cast<unsigned>(std::min<std::uint64_t>(warp_size, threads - warp.first_thread())));
}

// Threads that left before the barrier: hardware since Volta does not wait for them.
void note_departures(Block& block, Warp& first_warp, const Group& first) {
    const Warp* of_first = nullptr;
    unsigned gone = 0;
    for (const auto& warp : block.warps) {
        const unsigned lanes = lane_count(existing_lanes(*warp) & ~warp->live);
        if (lanes != 0 && of_first == nullptr) of_first = warp.get();
        gone += lanes;
    }
    if (of_first == nullptr || !is_aligned(first_warp, first.wait_pc)) return;
    const Mask lanes = existing_lanes(*of_first) & ~of_first->live;
    const std::string who = lane_count(lanes) == gone ? threads_text(lanes, of_first->first_thread())
                                                      : std::to_string(gone) + " threads";
    Frame* running = first_warp.frame;
    first_warp.frame = first.frame;
    report(
        first_warp, trace::ProblemKind::barrier_divergence, first.wait_pc, first.mask,
        "waited at a barrier without " + who + " of the same block, which had left the kernel" +
            line_text(of_first->left_at) +
            "; GPUs since Volta do not wait for them, but CUDA defines __syncthreads() in a branch only if "
            "all threads of the block take it",
        &of_first->left_at, true);
    first_warp.frame = running;
}

void check_departures(Block& block, Warp& first_warp, const Group& first) {
    for (const auto& warp : block.warps) {
        if (!went_past(*warp, first_warp, first) && !came_before(*warp, first)) continue;
        const Mask all = existing_lanes(*warp);
        return report_waiting(first_warp, first, trace::ProblemKind::barrier_divergence,
                              "waited at a barrier that " + threads_text(all, warp->first_thread()) +
                                  " of the same block do not reach: they had left the kernel" +
                                  line_text(warp->left_at) + advice(first_warp, first.wait_pc),
                              warp->left_at);
    }
    note_departures(block, first_warp, first);
}

}  // namespace

void check_barrier_places(Block& block) {
    Warp* first_warp = nullptr;
    const Group* first = nullptr;
    trace::ProblemSite place;
    for (const auto& warp : block.warps) {
        for (const Group& group : warp->groups) {
            if (group.state != GroupState::at_barrier || group.barrier != 0) continue;
            if (first == nullptr) {
                first_warp = warp.get();
                first = &group;
                place = waiting_site(*warp, group);
            }
            if (warp.get() == first_warp || group.wait_pc == first->wait_pc) continue;
            if (!is_aligned(*warp, group.wait_pc) || !is_aligned(*first_warp, first->wait_pc)) continue;
            const trace::ProblemSite other = waiting_site(*warp, group);
            if (other.line == place.line) continue;  // one barrier that the compiler duplicated
            return report_waiting(*first_warp, *first, trace::ProblemKind::barrier_divergence,
                                  "waited at a barrier while " +
                                      threads_text(group.mask, warp->first_thread()) +
                                      " of the same block waited at another one" + line_text(other) +
                                      advice(*first_warp, first->wait_pc),
                                  other);
        }
    }
    if (first != nullptr) check_departures(block, *first_warp, *first);
}

void note_leaving(Warp& warp, std::uint32_t pc, Mask lanes) {
    const trace::ProblemSite here = site_of(warp, pc, first_lane(lanes));
    const Group& self = warp.groups[warp.current];
    warp.left_at = here;
    warp.left_from = leaves_directly(warp, *warp.frame, self.turn_pc) ? self.past_pc : self.turn_pc;
    if (warp.groups.size() < 2) return;
    for (std::size_t i = 0; i < warp.groups.size(); ++i) {
        const Group& group = warp.groups[i];
        const Mask gone = group.expects & lanes;
        if (i == warp.current || gone == 0) continue;
        report_waiting(
            warp, group, trace::ProblemKind::unsynced_lanes,
            "waited for " + threads_text(gone, warp.first_thread()) +
                " of the same warp, which the mask names, but which ran past to the end of the kernel" +
                line_text(here),
            here);
    }
    if (!self.ran_past) return;
    for (const Group& group : warp.groups) {
        if (group.state != GroupState::at_barrier) continue;
        if (warp.skipped == 0) warp.skipped_at = here;
        warp.skipped |= lanes;
        return report_apart(warp, group, pc, lanes, "ran past it to the end of the kernel");
    }
}

void note_running_past(Warp& warp) {
    Group& self = warp.groups[warp.current];
    if (self.ran_past) {
        bool anyone = false;
        for (const Group& group : warp.groups)
            anyone = anyone || group.state == GroupState::at_barrier;
        self.ran_past = anyone;
        return;
    }
    for (const Group& group : warp.groups) {
        if (group.state != GroupState::at_barrier ||
            compare_positions(warp.run->program, group.position(), self.position()) >= 0)
            continue;
        self.ran_past = !leaves_directly(warp, *warp.frame, self.pc);
        return;
    }
}

bool report_unnamed_lanes(Warp& warp, std::uint32_t pc, Mask lanes, const std::uint32_t* members) {
    Mask named = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        named |= members[lane] & lane_bit(lane);
    Mask unnamed = lanes & ~named;
    if (unnamed == 0) return false;
    const std::uint32_t members_of_first = members[first_lane(unnamed) % warp_size];
    for (unsigned lane = 0; lane < warp_size; ++lane)
        if (members[lane] != members_of_first) unnamed &= ~lane_bit(lane);
    char mask[16];
    std::snprintf(mask, sizeof mask, "0x%08x", members_of_first);
    report(warp, trace::ProblemKind::unsynced_lanes, pc, unnamed,
           std::string("took part in an operation of the warp with the mask ") + mask +
               ", which does not name " + (lane_count(unnamed) == 1 ? "it" : "them"));
    return true;
}

Mask lanes_gone_on(const Warp& warp, Mask missing) {
    Mask gone = 0;
    const Group& self = warp.groups[warp.current];
    for (const Group& group : warp.groups)
        if ((group.mask & missing) != 0 &&
            compare_positions(warp.run->program, self.position(), group.position()) < 0 &&
            !leaves_directly(warp, *group.frame, group.pc))
            gone |= group.mask & missing;
    return gone;
}

}  // namespace lanescope::simt
