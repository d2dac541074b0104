// Marks many submissions in parallel, each in a process of its own with limits.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "judge/judge.h"

namespace lanescope::judge {

struct Marked {
    Submission submission;
    const lesson::Exercise* exercise = nullptr;
};

struct MarkOptions {
    unsigned jobs = 0;    // processes at a time; 0: one for each core
    double seconds = 60;  // of one submission
};

// Judges one submission in a process of its own. Errors: the process could not be started; the exercise is
// faulty; `cancel` became true.
Result<Verdict> mark_one(const Marked& marked, double seconds, const std::atomic<bool>* cancel = nullptr);

// Returns the verdicts in the order of the submissions. A process that crashes, hangs or takes too much
// memory is a verdict like any other. Error: a process could not be started.
Result<std::vector<Verdict>> mark(const std::vector<Marked>& submissions, const MarkOptions& options,
                                  const std::function<void(const Verdict&)>& done = {});

// Entry point of the process, argv after "__check": reads a request from standard input, confines itself once
// the submission is compiled, and writes the verdict.
int mark_worker_main();

}  // namespace lanescope::judge
