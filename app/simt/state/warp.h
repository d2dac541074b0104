// A warp: 32 lanes in lockstep, split into groups where they diverge.
//
// A group is a set of lanes at one pc with one chain of calls. Lanes whose pcs and call chains are equal form
// one group again. The group that is furthest behind (code_order.h) and can run goes first, so
// that lanes meet again where paths join and begin the next round of a loop together. A group that spins on
// memory which others must change is held back.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "simt/memory/lanes.h"
#include "simt/memory/memory.h"
#include "simt/program/program.h"
#include "simt/state/barrier.h"
#include "simt/state/code_order.h"
#include "simt/state/frame_pool.h"

namespace lanescope::simt {

struct LaunchContext;
struct Block;

enum class GroupState : std::uint8_t { ready, at_barrier, at_warp_sync };

// The last access by which a group may wait for others.
struct Poll {
    std::uint32_t pc = trace::none;
    std::uint64_t address = 0;  // of its first lane
};

struct Group {
    Mask mask = 0;
    std::uint32_t pc = 0;  // next instruction; of a group that waits in a warp sync, that instruction
    Frame* frame = nullptr;
    GroupState state = GroupState::ready;
    bool ran_past = false;                  // went past a barrier at which other lanes of its warp wait
    std::uint8_t barrier = 0;               // number, while at_barrier
    std::uint32_t wait_pc = 0;              // the instruction at which it waits
    std::uint32_t line = 0;                 // of its frame's source step; 0: none yet in this frame
    std::uint32_t result_pc = trace::none;  // bar.red wrote its result while it waited
    std::uint32_t held_back = 0;            // times it was held back for spinning; the smallest goes first
    std::uint32_t spins = 0;                // polls in a row that found nothing changed
    std::uint32_t loops = 0;                // back edges since it was last held back
    std::uint32_t turn_pc = trace::none;    // where its last turn began,
    std::uint32_t past_pc = trace::none;    // and the one before
    bool polled = false;                    // since the last back edge: read what others may write
    bool progressed = false;                // since the last back edge: changed memory
    Mask expects = 0;  // while it waits in a warp sync: lanes that its mask names and that went on without it
    Poll poll;
    Poll awaited;           // the mbarrier object whose phase was incomplete when it asked
    std::vector<Lap> laps;  // since the lanes of the warp were together

    Position position() const { return {pc, frame, &laps}; }
};

enum class Signal : std::uint8_t { none, step, diverged, barrier, warp_sync, exited, fault, yielded };

// The lanes that have arrived at a barrier of the block in the kernel, or at the call of a library that has
// one.
struct Arrival {
    std::uint32_t pc = trace::none;
    Mask lanes = 0;
};

// Operands of operations in which lanes see each other's values, gathered from groups that meet at different
// places.
struct Rendezvous {
    enum class Phase : std::uint8_t { direct, collect, finish };
    Phase phase = Phase::direct;
    Mask lanes = 0;  // that take part
    std::array<std::uint64_t, warp_size> value{};
    Mask predicate = 0;
    Mask uninit = 0;                               // lanes whose value was never set
    std::array<std::uint8_t, warp_size> source{};  // of a shuffle: where each lane's value came from
};

struct Warp {
    std::array<std::byte*, static_cast<std::size_t>(Base::count)> base{};
    LaunchContext* run = nullptr;
    Block* block = nullptr;
    std::uint32_t number = 0;       // in the block
    std::uint64_t local_start = 0;  // window::local_of() its first thread
    Mask live = 0;                  // lanes that exist and have not exited

    // The group that runs.
    Mask active = 0;
    std::uint32_t pc = 0;  // of the next instruction
    Frame* frame = nullptr;
    std::uint32_t line = 0;
    Signal signal = Signal::none;
    bool polled = false, progressed = false;
    bool changed = false;  // memory, in this turn
    Poll poll;
    std::uint32_t executed = 0;       // instructions of this turn
    Mask carry = 0;                   // the CC.CF flag
    Mask skipped = 0;                 // lanes that ran past a barrier to the end of the kernel
    std::array<Arrival, 8> arrivals;  // the first few barriers that were met
    // The lanes that left the kernel last: where they did their last work, where they left.
    std::uint32_t left_from = trace::none;
    trace::ProblemSite left_at;
    trace::ProblemSite skipped_at;  // where the first of them did
    std::size_t current = 0;        // index of the group that runs

    std::vector<Group> groups;
    LocalMemory local;
    Rendezvous rendezvous;

    Warp(LaunchContext& run, Block& block, std::uint32_t number, Mask existing);
    ~Warp();
    Warp(const Warp&) = delete;
    Warp& operator=(const Warp&) = delete;

    template <class T>
    T* row(Ref ref) const {
        return reinterpret_cast<T*>(base[ref_base(ref)] + ref_offset(ref));
    }
    Mask& predicate(Ref ref) const { return *row<Mask>(ref); }
    std::uint32_t first_thread() const { return number * warp_size; }

    bool finished() const { return groups.empty(); }
    bool runnable() const { return next_group() >= 0; }
    // Whether every group that can run was held back for spinning.
    bool only_spins() const;
    int next_group() const {  // index of the group to run next; -1 when all wait
        if (groups.size() == 1) return groups[0].state == GroupState::ready ? 0 : -1;
        return next_of_several();
    }
    void load_group(std::size_t index);
    void store_group();  // writes the running group back
    void merge_groups();
    void part_lanes();  // every lane becomes a group of its own; for schedules of threads

    // --- what control instructions do to the running group
    // `from`: the instruction from which the leaving lanes jump; none: they do not jump.
    void split(Mask leaving, std::uint32_t leaving_pc, Frame* leaving_frame,
               std::uint32_t from = trace::none);
    // The running group jumped or fell through from one instruction of its frame to `pc`.
    void note_jump(std::uint32_t from);
    void retire(Mask lanes);  // exited
    // Enters a function; null when memory or stack is short.
    Frame* enter(Mask lanes, std::uint32_t function, std::uint32_t call_pc);
    void leave(Frame* frame, Mask lanes);
    // Adds unset bytes to the end of the frame's local memory; false: memory or stack is short.
    bool grow_stack(Mask lanes, std::uint64_t bytes, std::uint64_t alignment, std::uint32_t& start_offset);
    void use_frame(Frame* entered) {
        frame = entered;
        base[0] = entered->rows;
    }
    int next_of_several() const;
    void gather_lanes();
    void note_poll(std::uint32_t at_pc, std::uint64_t address) {
        polled = true;
        poll = {at_pc, address};
    }
    bool other_group_due() const;
    std::uint32_t straight_limit() const;  // instructions before another group's pc; at least 1
};

const Program& program_of(const Warp& warp);

}  // namespace lanescope::simt
