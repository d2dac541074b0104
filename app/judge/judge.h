// Judges one submission against the goals of an exercise: runs it with the given input and the hidden ones
// under each schedule of the exercise, and counts.
#pragma once

#include <functional>
#include <string>

#include "judge/verdict.h"

namespace lanescope::judge {

struct Submission {
    std::string file;  // its name in messages
    std::string source;
    // The target of its code, "sm_80"; empty: what it states itself, or what the exercise states.
    std::string arch = {};
};

struct JudgeLimits {
    double seconds = 60;                          // of compiling and all runs
    std::uint64_t warp_instructions = 3'000'000;  // of one run
};

// Calls `compiled`, if given, between compiling the submission and running it. A mistake of the submission is
// part of the verdict. Errors: the exercise itself is faulty.
Result<Verdict> judge(const lesson::Exercise& exercise, const Submission& submission,
                      const JudgeLimits& limits = {}, const std::function<void()>& compiled = {});

}  // namespace lanescope::judge
