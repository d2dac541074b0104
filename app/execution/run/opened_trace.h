// Saved traces, opened as runs.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "execution/run/run.h"

namespace lanescope::execution {

// Opens a saved trace as if it had just run: measures it again, without expectations. Errors: those of
// trace::open.
Result<RunResult> open_trace(const std::string& path);
// Does the same without the report, and several times as fast: the trace is checked, but not played.
Result<RunResult> open_trace_uncounted(const std::string& path);
// Plays the trace and makes the report that open_trace_uncounted() leaves out: see trace::make_snapshots.
// Errors: those of that function; "cancelled".
Result<analysis::Report> count_trace(const trace::Trace& trace, const analysis::Code& instructions,
                                     const std::string& path, const std::atomic<bool>* cancel = nullptr,
                                     const std::function<void(float)>& progress = {});

}  // namespace lanescope::execution
