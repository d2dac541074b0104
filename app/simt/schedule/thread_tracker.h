// The threads of a grid while each is scheduled on its own: which can run, and which only loop.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simt/launch/thread_schedule.h"
#include "simt/schedule/stall.h"
#include "simt/state/block.h"
#include "simt/state/launch_context.h"

namespace lanescope::simt {

class ThreadTracker {
  public:
    explicit ThreadTracker(const LaunchContext& run);

    const ThreadTable& table() const { return table_; }
    bool any_ready() const;
    // The block has become resident: its lanes are parted.
    void admit(Block& block);
    void retire(const Block& block);
    // After one machine turn of the warp. `looped`: it went back in the text.
    void note_turn(const Block& block, const Warp& warp, std::size_t thread, const SideEffects& effects,
                   bool looped);
    // After the whole turn of a thread: examines its warp, or the whole block. Returns the threads that were
    // released.
    std::span<const std::size_t> look_at(const Block& block, const Warp& warp, bool whole_block);

  private:
    // What a thread has read since memory that it reads changed, and the states that its loops began with.
    struct Rounds {
        SideEffects reads;
        CycleSearch search;
    };
    std::size_t number_of(const Block& block, const Warp& warp, unsigned lane) const;
    void note_rounds(const Warp& warp, std::size_t thread, const SideEffects& effects, bool looped);
    void wake(std::size_t writer, const SideEffects& effects);
    void look_at(const Block& block, const Warp& warp);

    ThreadTable table_;
    std::vector<Rounds> rounds_;
    std::vector<std::size_t> reading_;  // threads that may be going round
    std::vector<std::size_t> released_;
};

// Returns the group of the warp that holds the lane; -1 if the lane has ended.
int group_of(const Warp& warp, unsigned lane);

}  // namespace lanescope::simt
