// The accesses of other threads that come before those of a thread: happens-before of one launch.
//
// Time is the place in the trace: turn (counted from 1) × 65536 + instruction in the turn. As the trace is
// one sequence, what a thread knows of others is "everything up to a time", and a full barrier is one number
// for the whole block. Edges:
//   - block barriers, named ones too; operations in which lanes of a warp meet (__syncwarp and every *_sync);
//   - the barrier of a cluster: what a thread did before it arrived comes before what each thread of the
//   cluster does after it has waited. An arrival that is relaxed hands on only what a fence covers;
//   - release and acquire: a fence and then a strong write (or .release) to a location, whose value another
//   thread reads
//     with a strong read and then a fence, or a barrier (or .acquire). A chain of atomics on the location
//     hands it on.
//   - what thread A's fence covers stays covered when a barrier lets thread B do the strong write ("all
//   threads write
//     and fence, barrier, one thread counts"), which hardware does and textbooks rely on.
// After: PTX ISA 9.0 "Memory Consistency Model"; clocks as in FastTrack (C. Flanagan, S. Freund, PLDI 2009).
//
// CUDA does not promise that the *_sync operations other than bar.warp.sync order memory. Here they do, but
// what only they order can be asked for (exchanged_alone()). Nor is a block's barrier an acquire of what
// another block released; it is one here (acquired_by_barrier()).
//
// Inaccuracies: Fences of .sc and .acq_rel are the same, and those of .cluster reach as far as those of .gpu.
// A failed test of an mbarrier acquires. Beyond 4096 synchronisation locations that were handed on one
// through the other, accesses count as ordered. Accesses before a launch's end are ordered before the next
// launch, grids launched by kernels included.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trace/trace.h"

namespace lanescope::analysis {

using Time = std::uint64_t;
constexpr Time time_of(std::uint64_t turn, std::uint16_t ordinal) {
    return turn << 16 | ordinal;
}
constexpr std::uint64_t turn_of(Time time) {
    return time >> 16;
}

// Threads are numbered through the grid by warps of 32.
struct ThreadId {
    std::uint32_t warp = 0;  // in the grid
    std::uint8_t lane = 0;
    bool operator==(const ThreadId&) const = default;
};

class HappensBefore {
  public:
    explicit HappensBefore(const trace::Launch& launch);
    ~HappensBefore();
    HappensBefore(const HappensBefore&) = delete;
    HappensBefore& operator=(const HappensBefore&) = delete;

    std::uint32_t block_of(std::uint32_t warp) const { return warp / warps_per_block_; }
    bool in_one_cluster(std::uint32_t warp, std::uint32_t other) const {
        return shape_.cluster_of(block_of(warp)) == shape_.cluster_of(block_of(other));
    }

    // --- what happens, in the order of the trace
    void fence(std::uint32_t warp, trace::Mask lanes, trace::FenceScope scope, Time now);
    void arrive(std::uint32_t warp, trace::Mask lanes, std::uint32_t barrier, bool waits, Time now);
    // At the barrier of the cluster threads arrive first and wait later.
    void arrive_at_cluster(std::uint32_t warp, trace::Mask lanes, bool relaxed, Time now);
    void wait_for_cluster(std::uint32_t warp, trace::Mask lanes);
    void release_barrier(std::uint32_t block, std::uint32_t barrier, Time now);
    // `pc`: of an operation that orders no memory (a shuffle, a vote, …); none: it does.
    void meet(std::uint32_t warp, trace::Mask lanes, Time now, std::uint32_t pc = trace::none);
    void exit(std::uint32_t warp, trace::Mask lanes);
    bool finished(std::uint32_t block) const;          // all its threads have exited
    bool cluster_finished(std::uint32_t block) const;  // all threads of its cluster have exited
    std::vector<std::uint32_t> cluster_around(std::uint32_t block) const;  // the blocks of its cluster

    // A place in memory through which threads synchronise.
    struct Location {
        std::uint64_t instance = 0;  // block + 1 of shared memory, 0 of global memory
        std::uint64_t offset = 0;
        bool operator==(const Location&) const = default;
    };
    struct LocationHash {
        std::size_t operator()(const Location& at) const {
            return (at.offset ^ at.instance * 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull >> 7;
        }
    };
    struct Strength {
        trace::FenceScope scope{};
        bool releases = false, acquires = false;
        bool chained = false;  // an atomic: hands on what the location held
    };
    void strong_write(ThreadId thread, Location location, Strength strength, Time now);
    void strong_read(ThreadId thread, Location location, Strength strength);
    void weak_write(Location location);  // its value releases nothing

    // The time of the block's last barrier, up to which its threads know all of each other.
    Time full_barrier(std::uint32_t block) { return block_at(block).full; }
    // Whether what `earlier` did at `at` comes before what `later` does next. `strong`: it was a strong
    // access, which also comes before the accesses that observed it.
    bool ordered(ThreadId earlier, Time at, ThreadId later, bool strong) {
        if (earlier == later) return true;
        const Block& block = block_at(block_of(later.warp));
        if (block_of(earlier.warp) == block_of(later.warp) && at <= block.full) return true;
        return ordered_otherwise(block, earlier, at, later, strong);
    }

    // Whether it would, had `later` a fence behind what it read from others.
    bool ordered_by_fence(ThreadId earlier, Time at, ThreadId later);

    // Finds accesses of two lanes of a warp which are ordered although nothing that orders memory stands
    // between them. Returns the warp's last operation in which lanes met; false for all other accesses.
    struct Meeting {
        Time time = 0;
        std::uint32_t pc = trace::none;
        explicit operator bool() const { return pc != trace::none; }
    };
    Meeting exchanged_alone(ThreadId earlier, Time at, ThreadId later) {
        if (earlier.warp != later.warp || earlier.lane == later.lane) return {};
        const Block& block = block_at(block_of(later.warp));
        const Warp& warp = block.warps[later.warp % warps_per_block_];
        if (at > warp.exchanged.time || at <= block.full || at <= warp.synced) return {};
        return synced_otherwise(block, warp, earlier, at, later) ? Meeting{} : warp.exchanged;
    }

    // Whether accesses of two blocks are ordered only because a barrier of the later thread's block followed
    // where one of its threads read a signal. PTX asks for a fence there (or .acquire).
    bool acquired_by_barrier(ThreadId earlier, Time at, ThreadId later, bool strong);

    static constexpr std::uint32_t cluster_barrier = 16;  // as Recorder::sync numbers it

  private:
    struct Log;
    struct Reference {
        const Log* log = nullptr;
        std::uint32_t length = 0;  // its first so many entries
    };
    // Threads, warps or blocks, each up to a time.
    using Entry = std::pair<std::uint64_t, Time>;
    struct Knowledge {
        std::vector<Entry> entries;
        std::vector<Reference> references;
        bool empty() const { return entries.empty() && references.empty(); }
        void add(std::uint64_t key, Time time);
        void add(const Reference& reference);
        void add(const Knowledge& other);
    };
    struct Lane {
        Knowledge known;         // of other threads, beyond what warp and block know
        Knowledge pending_near;  // read from strong writes of the block, effective after any fence
        Knowledge pending_far;   // of other blocks, effective after a fence of a wider scope
    };
    using Matrix = std::array<std::array<Time, trace::warp_size>, trace::warp_size>;
    struct Warp {
        trace::Mask exists = 0, exited = 0;
        Time full = 0;                                             // the lanes know of each other up to here
        std::array<Time, trace::warp_size> fence{}, near_fence{};  // last fence; of block scope or wider
        std::unique_ptr<Matrix> pairs;                             // [lane][of lane], after partial meetings
        Time synced = 0;                                           // the same two by bar.warp.sync alone
        std::unique_ptr<Matrix> synced_pairs;
        Meeting exchanged;  // the last one that orders no memory
        std::unique_ptr<std::array<Lane, trace::warp_size>> lanes;
        // At the cluster's barrier: lanes that arrived since it opened; of these, lanes that wait; lanes that
        // it lets pass and that have not waited yet. The first of the arrivals.
        trace::Mask arrived = 0, waiting = 0, may_pass = 0;
        Time first_arrival = 0;
    };
    struct Cluster {
        bool arrived = false;   // any thread, since it opened
        Knowledge released;     // by the arrivals
        Log* opened = nullptr;  // what its openings handed on
    };
    struct Barrier {
        std::vector<trace::Mask> waiting;
        Knowledge passed;
    };
    struct Block {
        Time full = 0;
        Knowledge known;
        Knowledge loose;       // read from signals of other blocks, with a barrier in the place of a fence
        Time loosened_at = 0;  // the last barrier that added to it
        std::vector<Warp> warps;
        std::array<std::unique_ptr<Barrier>, cluster_barrier> barriers;
        bool lanes_know = false;  // any Warp::lanes
        bool fenced = false;
    };
    struct Published {
        Log* far = nullptr;
        std::unordered_map<std::uint32_t, Log*> near;  // of a block
    };

    Block& block_at(std::uint32_t index) {
        if (last_block_ == nullptr || last_index_ != index) find_block(index);
        return *last_block_;
    }
    void find_block(std::uint32_t index);
    Log* append(Log* log, const Knowledge& released);
    Warp& warp_at(std::uint32_t warp);
    Lane& lane_at(ThreadId thread);
    bool ordered_otherwise(const Block& block, ThreadId earlier, Time at, ThreadId later, bool strong) const;
    bool synced_otherwise(const Block& block, const Warp& warp, ThreadId earlier, Time at,
                          ThreadId later) const;
    static void meet_in(const Warp& warp, trace::Mask lanes, Time now, Time& full,
                        std::unique_ptr<Matrix>& pairs);
    bool knows(const Knowledge& known, ThreadId thread, Time at, bool strong) const;
    void learn_pending(Lane& lane, bool far);
    Knowledge released_by(ThreadId thread, bool far, Time own_fence, Time now);
    void open_fully(Block& block, Time now);
    void open_cluster(std::uint32_t number);
    void open_partly(std::uint32_t index, Block& block, Barrier& barrier, Time now);

    trace::Launch shape_;  // its sizes
    std::uint32_t warps_per_block_;
    trace::Mask last_warp_lanes_;
    std::unordered_map<std::uint32_t, std::unique_ptr<Block>> blocks_;
    std::uint32_t last_index_ = 0;
    Block* last_block_ = nullptr;
    std::unordered_map<std::uint32_t, Cluster> clusters_;
    std::vector<std::unique_ptr<Log>> logs_;  // they refer to each other
    std::unordered_map<Location, Published, LocationHash> published_;
};

}  // namespace lanescope::analysis
