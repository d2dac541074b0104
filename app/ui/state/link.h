// Links to the browser version that open what a window shows: "lesson=scan/blelloch&step=32&view=flow&n=16".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ui/state/window_state.h"

namespace lanescope::ui {

// What follows the ? of the link; empty: no file is open. A file that is not a lesson is named without its
// folder.
std::string link_query(const session::Session& session, const WindowState& window);

// The options of the command line that a query stands for. `own` is the folder of files that are not lessons:
// the names of `file` and `trace` have no other. Any name that is not the link's own is a parameter of the
// file. Errors: a name without a value; a path that leaves the folder; more than one of lesson, file and
// trace.
Result<std::vector<std::string>> options_of_link(std::string_view query, const std::string& own);

}  // namespace lanescope::ui
