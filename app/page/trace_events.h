// Writes a run in Chrome's Trace Event Format, which Perfetto and chrome://tracing open: a process for each
// block, a thread for each warp, a slice for each line; of a program also its host's calls and its streams.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "execution/run/run.h"
#include "program/run.h"

namespace lanescope::page {

struct TraceEventOptions {
    std::vector<std::uint32_t> blocks = {};  // empty: all that are recorded
    bool clock = false;  // the time that a GPU would take, as estimated; else one step is 1 µs
    const program::ProgramRun* program = nullptr;  // that launched the kernel; null: none did
    std::size_t max_events = 1'000'000;
    std::string version = {};  // of the program
};

struct TraceEvents {
    std::string json;
    std::string left_out;  // what is missing because of `max_events`, a sentence; empty: nothing
};

// Errors: no trace, a block that is not recorded, no estimate of the time.
Result<TraceEvents> make_trace_events(const execution::RunResult& run, const TraceEventOptions& options);

}  // namespace lanescope::page
