// Rules of control flow that several files share: spinning, barriers at which not all lanes of a warp meet.
#pragma once

#include "simt/barrier.h"
#include "simt/warp.h"

namespace lanescope::simt {

// A group branches backwards. True: it should let others run first, because it only polls memory or loops
// very long.
bool note_back_edge(Group& group, bool& polled, bool& progressed);

// Whether all 32 lanes of the warp stand at the instruction, which needs them all. If not, the group waits;
// when some of the lanes do not exist any more, that is reported and those that do go on.
bool whole_warp_present(Warp& warp, const Decoded& decoded, Mask mask);

// Tells the trace that lanes synchronise, when the block is recorded.
void record_sync(Warp& warp, const Decoded& decoded, trace::SyncKind kind, Mask mask, unsigned detail = 0);

// Copies a parameter of the entered function to its local memory.
void copy_parameter(Warp& warp, std::uint32_t pc, const Slot& slot, std::uint32_t offset);

// Writes the result of bar.red for a group that waited at the barrier.
void finish_reduction(Warp& warp, const Group& group, const Barrier& barrier);
std::uint8_t barrier_mode_of(const ptx::Instruction& instruction);

// The running group arrives at an aligned barrier: reports other lanes of the warp that wait at another one.
void check_barrier_alignment(Warp& warp, std::uint32_t pc);
// Lanes of the running group leave the kernel: reports a barrier, or an operation of the warp that names
// them, at which others of the warp still wait, when they ran past it.
void note_leaving(Warp& warp, std::uint32_t pc, Mask lanes);
// Before a turn of the running group: notes that it goes past a barrier at which others of the warp wait.
void note_running_past(Warp& warp);
// Nothing but the way out of the kernel: moves, jumps, return.
bool leaves_directly(const Warp& warp, const Frame& frame, std::uint32_t pc);

}  // namespace lanescope::simt
