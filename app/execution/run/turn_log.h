// Which thread took each turn, and which others could have, in a run by single threads
// (simt/launch/thread_schedule.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "simt/launch/thread_schedule.h"
#include "trace/recorder.h"
#include "trace/steps.h"

namespace lanescope::execution {

struct ThreadTurn {
    std::uint32_t launch = 0, block = 0, thread = 0;
    std::uint32_t block_threads = 0;
    std::uint64_t first = 0, end = 0;       // turns of the trace; `end` is one past the last
    std::vector<simt::ThreadState> states;  // before it, of every thread of the grid
};

struct TurnLog {
    std::vector<ThreadTurn> turns;
};

// Returns the first `count` turns as a schedule.
std::vector<simt::ThreadTurns> first_turns(const TurnLog& log, std::size_t count);
// Returns how many turns of the log end at or before this turn of the trace.
std::size_t turns_until(const TurnLog& log, std::uint64_t trace_turn);

// Returns the steps of a block, one for each turn of one of its threads: two threads that run a line one
// after the other make two steps, and so do two turns within a line.
std::vector<trace::Step> steps_by_thread(const TurnLog& log, const trace::Trace& trace, std::uint32_t block);

// Returns the steps that the program shows: by thread if there is a log and steps are lines, else those of
// the trace.
std::vector<trace::Step> steps_of(const trace::Trace& trace, const TurnLog* log, std::uint32_t block,
                                  trace::Granularity granularity);

// Takes turns as ListedTurns does, and writes the log.
class LoggedTurns final : public simt::ThreadChooser {
  public:
    // Larger runs are not logged: the window shows no more threads at once, and memory is bounded.
    static constexpr std::size_t max_threads = 64, max_turns = 100'000;

    LoggedTurns(std::span<const simt::ThreadTurns> turns) : listed_(turns) {}
    void watch(const trace::Recorder& recorder) { recorder_ = &recorder; }

    simt::ThreadChoice choose(const simt::ThreadTable& threads) override;
    void done(const simt::ThreadTurnDone&) override;
    std::uint64_t left() const { return listed_.left(); }
    std::shared_ptr<const TurnLog> finish();  // null when it was too large

  private:
    simt::ListedTurns listed_;
    const trace::Recorder* recorder_ = nullptr;
    TurnLog log_;
    bool complete_ = true;
};

}  // namespace lanescope::execution
