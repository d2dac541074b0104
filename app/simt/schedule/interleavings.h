// Runs a program again and again until every distinguishable order of its threads' turns has been seen.
//
// Two schedules that differ only in the order of turns that do not depend on each other (side_effect.h) have
// the same outcome, so that one of them is enough: dynamic partial-order reduction with source sets and sleep
// sets (P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas, "Optimal Dynamic Partial Order Reduction", POPL 2014,
// algorithm 1).
//
// A thread that loops for ever unless memory changes is not scheduled until memory changes. Spinning on a
// flag therefore leaves finitely many schedules.
//
// Inaccuracies: a program that reads a clock depends on more than the order of its turns; such orders are not
// searched.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "simt/launch/thread_schedule.h"
#include "simt/schedule/turn_order.h"

namespace lanescope::simt {

class Interleavings final : public ThreadChooser {
  public:
    struct Limits {
        std::uint64_t turns = 20'000;            // of one run, because a program may loop for ever
        std::uint64_t clock_cells = 1ull << 24;  // turns × threads of one run: memory
        std::size_t count_states = 20'000;       // effort for counting the schedules of one run
    };
    explicit Interleavings(Limits limits) : limits_(limits) {}

    // --- before and after each run of the machine, whose schedule must have this chooser
    void begin_run();
    // Looks for an untried order. Returns false if none is left.
    bool end_run();

    // --- after end_run(), of the run that has just ended
    enum class Ran : std::uint8_t {
        whole,      // to the program's end
        redundant,  // stopped: its outcome has been seen
        too_long    // stopped: a limit
    };
    Ran ran() const { return ran_; }
    const std::vector<ThreadTurns>& schedule() const { return schedule_; }
    // All schedules that are equivalent to it, itself included. Nothing: they are too many to count, or
    // a thread waited in a loop, which can take any number of turns.
    std::optional<std::uint64_t> equivalent_schedules() const { return equivalent_; }

    ThreadChoice choose(const ThreadTable& threads) override;
    void done(const ThreadTurnDone& turn) override;

  private:
    using Sleeping =
        std::map<std::size_t, SideEffects>;  // threads whose next turn has been tried, and what it does
    struct Choice {
        TurnRecord turn;
        std::uint32_t block_threads = 1;
        std::vector<bool> ready, spinning;
        Sleeping asleep;
        std::set<std::size_t> wanted;
    };
    bool make_choice(const ThreadTable& threads);
    std::optional<std::size_t> preferred(const ThreadTable& threads, const Choice& choice) const;
    void analyse();
    void want_reversal(const TurnOrder& order, const TurnRace& race);

    Limits limits_;
    std::vector<Choice> choices_;
    std::size_t depth_ = 0;      // of the run so far
    std::size_t first_new_ = 0;  // choices before this one are as in the run before
    Ran ran_ = Ran::whole;
    bool spun_ = false;
    std::vector<ThreadTurns> schedule_;
    std::optional<std::uint64_t> equivalent_;
};

}  // namespace lanescope::simt
