// The figure of the flow for a page: rows, cells, lines and words. assets/html/flow.js draws it.
#pragma once

#include <atomic>
#include <nlohmann/json_fwd.hpp>

#include "page/recording.h"
#include "session/session.h"

namespace lanescope::page {

// Takes the launch and the block at the first step of `range`. Null where the run has no flow; too large a
// run has only a note. The session's playhead stands at the block.
nlohmann::ordered_json flow_json(const session::Session& shown, StepRange range,
                                 const std::atomic<bool>* cancel);

}  // namespace lanescope::page
