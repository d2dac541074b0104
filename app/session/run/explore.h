// Every outcome that a kernel can have, and for each a schedule that leads to it.
//
// Small programs are enumerated (simt/schedule/interleavings.h). Where that ends at a limit, or the program
// is too large for it, schedules are sampled: round robin, warp by warp, and seeds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "session/run/run.h"

namespace lanescope::session {

struct ExploreLimits {
    double seconds = 20;                          // of it all
    std::uint64_t runs = 100'000;                 // of the enumeration
    std::uint64_t threads = 1024;                 // of a grid that is enumerated
    std::uint64_t outcomes = 256;                 // that are kept
    std::uint64_t seeds = 32;                     // that are sampled
    std::uint64_t warp_instructions = 2'000'000;  // of one run
};

// What a run leaves behind: buffers, console, problems. Schedules with equal ones share an outcome.
struct Outcome {
    std::uint64_t count = 0;  // schedules that were run and ended so
    // All schedules that end so, those included that were not run because they only change the order of turns
    // that do not depend on each other. Nothing: not enumerated in full, or too many to count.
    std::optional<std::uint64_t> schedules;
    simt::Schedule schedule;  // one that ends so
    std::vector<BufferView> buffers;
    std::vector<lesson::ExpectOutcome> expectations;
    std::vector<trace::Problem> problems;
    std::string console;
    bool ok = false;  // every expectation met, no problem but expected ones
};

struct Exploration {
    std::string file, title;
    compile::Code code = compile::Code::debug;
    lesson::Instance instance;
    bool complete = false;   // every schedule, or one that is equivalent to it, was run
    bool sampled = false;    // some of the runs were chosen at random
    std::string limit;       // why it is not complete
    std::uint64_t runs = 0;  // those that only repeated what was known (redundant) not counted
    std::uint64_t redundant = 0;
    std::optional<std::uint64_t> schedules;  // in all; see Outcome
    std::vector<Outcome> outcomes;           // the most frequent first

    bool fine() const;
};

// Errors: those of execute().
Result<Exploration> explore(const RunRequest& request, const ExploreLimits& limits = {},
                            const std::atomic<bool>* cancel = nullptr,
                            const std::function<void(float)>& progress = {});

// The cells in which outcomes differ, at most so many, and how each outcome has them: "mem[0] = 2".
struct Difference {
    std::size_t buffer = 0;
    std::uint64_t cell = 0;
};
std::vector<Difference> differences(const Exploration& exploration, std::size_t most);
std::string cell_text(const Outcome& outcome, const Difference& at);
// "mem[0] = 2, mem[1] = 5"; "all buffers are equal" where only the console or problems differ.
std::string summary(const Exploration& exploration, const Outcome& outcome);
// "2 of 20 schedules", "at least 3 schedules"
std::string count_text(const Exploration& exploration, const Outcome& outcome);
// "all 20 schedules tried; 4 that are not equivalent were run"
std::string extent_text(const Exploration& exploration);

}  // namespace lanescope::session
