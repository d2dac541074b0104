// Rules of control flow that several files share: spinning, barriers at which not all lanes of a warp meet.
#pragma once

#include "simt/state/barrier.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

// The values of Decoded::mode in barriers of a block.
namespace barrier_mode {
constexpr std::uint8_t aligned = 1, arrive = 2;
constexpr std::uint8_t popc = 4, conjunction = 8, disjunction = 12, reduction = 12;
}  // namespace barrier_mode

// Counts a backward branch of the group. Returns true if the group should let others run first, because it
// only polls memory or loops very long.
inline bool note_back_edge(Group& group, bool& polled, bool& progressed) {
    constexpr std::uint32_t patience = 50;       // polls that found nothing changed
    constexpr std::uint32_t long_loop = 20'000;  // back edges after which others get their turn in any case
    group.spins = polled && !progressed ? group.spins + 1 : 0;
    polled = progressed = false;
    if (++group.loops < long_loop && group.spins < patience) return false;
    group.loops = 0;
    ++group.held_back;
    return true;
}

// Tells the trace that lanes synchronise, when the block is recorded.
void record_sync(Warp& warp, const Decoded& decoded, trace::SyncKind kind, Mask mask, unsigned detail = 0);

// Writes the result of bar.red for a group that waited at the barrier.
void finish_reduction(Warp& warp, const Group& group, const Barrier& barrier);

// The running group arrives at a barrier: reports lanes of the warp that have left the kernel and, if the
// barrier is aligned, others that wait at another one.
void check_barrier_alignment(Warp& warp, std::uint32_t pc);
// Lanes of the running group leave the kernel: reports a barrier, or an operation of the warp that names
// them, at which others of the warp still wait, if these lanes ran past it.
void note_leaving(Warp& warp, std::uint32_t pc, Mask lanes);
// Before a turn of the running group: notes that it goes past a barrier at which others of the warp wait.
void note_running_past(Warp& warp);
// Whether only moves and jumps lead from here to the return from the kernel.
bool leaves_directly(const Warp& warp, const Frame& frame, std::uint32_t pc);

}  // namespace lanescope::simt
