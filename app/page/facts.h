// What a page shows of a run apart from its steps: its origin, the lesson's text, counts, problems.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "session/session.h"

namespace lanescope::page {

// Returns the facts of the session's run. `version` is the program's. Each place of a problem has the number
// of its step within its block, or null.
nlohmann::ordered_json facts_of(const session::Session& shown, const std::string& version);

// Returns the name of the file for readers: "kernels/reduction/modulo.cu" for a file of the course, otherwise
// the file name alone.
std::string public_name(const std::string& file);

}  // namespace lanescope::page
