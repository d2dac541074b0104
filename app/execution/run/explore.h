// Every outcome that a kernel can have, and for each a schedule that leads to it.
//
// Small programs are enumerated (simt/schedule/interleavings.h). If that reaches a limit, or the program is
// too large for it, schedules are sampled: round robin, warp by warp, and seeds. Races are looked for in a
// run in lockstep and in one run of each outcome.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "execution/run/run.h"

namespace lanescope::execution {

struct ExploreLimits {
    double seconds = 20;                          // of the whole search
    std::uint64_t runs = 100'000;                 // of the enumeration
    std::uint64_t threads = 1024;                 // of a grid that is enumerated
    std::uint64_t outcomes = 256;                 // that are kept
    std::uint64_t seeds = 32;                     // that are sampled
    std::uint64_t warp_instructions = 2'000'000;  // of one run
    std::uint64_t searches = 16;                  // for races, in outcomes
    double search_seconds = 5;                    // of these together, beyond `seconds`
};

// What a run leaves behind: buffers, console, problems. Schedules that leave the same behind share an
// outcome.
struct Outcome {
    std::uint64_t count = 0;  // schedules that were run and have this outcome
    // All schedules with this outcome, including those that were not run because they only change the order
    // of independent turns. Nothing: not enumerated in full, or too many to count.
    std::optional<std::uint64_t> schedules;
    simt::Schedule schedule;  // one with this outcome
    std::vector<BufferView> buffers;
    std::vector<lesson::ExpectOutcome> expectations;
    std::vector<trace::Problem> problems;  // without races, which do not tell outcomes apart
    std::vector<trace::Problem> races;
    bool races_searched = false;
    std::string console;
    bool ok = false;  // every expectation is met, and every problem and race is expected
};

struct Exploration {
    std::string file, title;
    compile::Code code = compile::Code::debug;
    lesson::Instance instance;
    bool complete = false;   // every schedule, or one that is equivalent to it, was run
    bool sampled = false;    // some of the runs were chosen at random
    std::string limit;       // why it is not complete
    std::uint64_t runs = 0;  // without the redundant ones, which showed nothing new
    std::uint64_t redundant = 0;
    std::optional<std::uint64_t> schedules;  // in all; see Outcome
    std::vector<Outcome> outcomes;           // the most frequent first
    std::string races_incomplete;            // which outcomes were not searched for races; empty: all were

    bool fine() const;
};

// Errors: those of execute().
Result<Exploration> explore(const RunRequest& request, const ExploreLimits& limits = {},
                            const std::atomic<bool>* cancel = nullptr,
                            const std::function<void(float)>& progress = {});

// A cell in which outcomes differ; cell_text() gives its value in an outcome: "mem[0] = 2".
struct Difference {
    std::size_t buffer = 0;
    std::uint64_t cell = 0;
};
std::vector<Difference> differences(const Exploration& exploration, std::size_t most);
std::string cell_text(const Outcome& outcome, const Difference& at);
// "mem[0] = 2, mem[1] = 5", with the problem and the console; "nothing differs" if there is none of these.
std::string summary(const Exploration& exploration, const Outcome& outcome);
// "2 of 20 schedules", "at least 3 schedules"
std::string count_text(const Exploration& exploration, const Outcome& outcome);
// "every schedule: 20 schedules, of which 4 were run; …", "a sample of 34 schedules: …"
std::string extent_text(const Exploration& exploration);

}  // namespace lanescope::execution
