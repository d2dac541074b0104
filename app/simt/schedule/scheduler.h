// Runs the blocks of a launch until they end or are stopped.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "simt/launch/launch.h"
#include "simt/launch/schedule.h"
#include "simt/schedule/run_clock.h"
#include "simt/schedule/stall.h"
#include "simt/schedule/thread_tracker.h"
#include "simt/state/block.h"
#include "simt/state/launch_context.h"

namespace lanescope::simt {

// Small and equal on every platform (splitmix64, S. Vigna, public domain).
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }

  private:
    std::uint64_t state_;
};

class Scheduler {
  public:
    // `clock` counts the time of the machine's launches.
    Scheduler(LaunchContext& run, const Schedule& schedule, const std::atomic<bool>* cancel,
              const std::function<void(std::uint64_t)>& progress, RunClock& clock);
    Ending run();

  private:
    void admit_blocks();
    bool leaves_out_next() const;
    bool admit_cluster();
    void retire_blocks();
    void refuse_partial_grid();
    bool run_round_robin();  // false: no group could run
    bool run_by_warp();
    bool run_random();
    bool run_by_thread();
    bool admit_more();
    void take_turn(std::size_t thread);
    // Runs the group that is due, or the one with this index. True: a barrier opened.
    bool turn(Block& block, Warp& warp, int group = -1);
    std::uint64_t first_window() const;
    std::uint64_t max_resident() const;
    void note_turn(const Warp& warp);
    std::uint64_t stall_turns() const;
    void look_for_stall(const Warp& warp);
    void end_stall();
    void pass_time();
    void check_limits();
    std::string late_text(double spent_s) const;
    void stop(Ending ending, trace::ProblemKind kind, const std::string& message);
    void report_deadlock();
    const Group* next_group(Warp*& warp) const;
    void tell_watch() const;
    std::string where_text() const;
    std::string absent_text() const;

    LaunchContext& run_;
    const Schedule& schedule_;
    const std::atomic<bool>* cancel_;
    const std::function<void(std::uint64_t)>& progress_;
    Random random_;
    std::vector<std::unique_ptr<Block>> resident_;
    std::uint64_t next_block_ = 0;
    std::uint64_t window_ = 0;      // blocks that may be resident
    std::uint64_t idle_turns_ = 0;  // in a row, of warps that only poll what others must change
    std::uint64_t resident_warps_ = 0;
    std::uint64_t turns_ = 0;
    StallDetector stall_;
    std::unique_ptr<ThreadTracker> threads_;  // when each is scheduled on its own
    std::uint64_t parted_ = 0;                // blocks before this one were admitted to it
    bool stopped_ = false;
    bool block_finished_ = false;
    Ending ending_ = Ending::finished;
    RunClock& clock_;
    std::uint64_t checked_instructions_ = 0;  // when the limits were checked last
};

}  // namespace lanescope::simt
