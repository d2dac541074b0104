// Whether the threads of a submission share its work: a kernel that does everything in one thread is right,
// but not parallel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "execution/run/run.h"

namespace lanescope::judge {

// 0: one thread of each launch does all of the work; 1: each thread does as much as every other. With the
// work w of the threads, summed over launches, it is (Σ w − max w) / (max w × (min(threads, Σ w) − 1)).
struct Sharing {
    double share = 1;
    // What was looked at where the share is least, and how much the busiest thread of the launch with the
    // most work does of it.
    const char* unit = "";  // "writes that the result was made by"
    std::uint64_t busiest = 0, all = 0, threads = 0;
    std::uint32_t block = 0, thread = 0;
};

// The least share of two kinds of work: plain accesses to global and shared memory; and the writes, exchanges
// and atomic operations that the expected buffers were made by, so that needless accesses do not help; of the
// latter 0.7 or more counts as 1. None
// if no launch has several threads. The run has a trace.
std::optional<Sharing> sharing_of(const execution::RunResult& run);

std::string words_of(const Sharing& sharing);

}  // namespace lanescope::judge
