// Records one block's steps for a page as JSON text: the state after the first step, then the changes of each
// further step. assets/html/trace.js reads it and describes the format.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>

#include "base/result.h"
#include "page/strings.h"
#include "session/session.h"

namespace lanescope::page {

struct StepRange {
    std::size_t first = 0, last = 0;  // inclusive
};

struct RecordingWatch {
    const std::atomic<bool>* cancel = nullptr;
    std::function<void(float)> progress;  // 0 … 1; may be empty
    std::uint64_t max_bytes = ~0ull;      // of the JSON text
};

// Moves `shown` along the steps of its focus block. Errors: cancelled; the text is larger than the watch
// allows.
Result<std::string> record_block(session::Session& shown, StepRange range, Strings& strings,
                                 const RecordingWatch& watch);

}  // namespace lanescope::page
