// What a page says about a run beside its steps: where it comes from, the lesson's text, counts, problems.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "session/session.h"

namespace lanescope::page {

// Of the session's run. `version` is the program's. Problems have the step of each of their places, as the
// block that holds it counts them, or null.
nlohmann::ordered_json facts_of(const session::Session& shown, const std::string& version);

// The file as a reader knows it: "kernels/reduction/modulo.cu" for what the course has, else the name alone.
std::string public_name(const std::string& file);

}  // namespace lanescope::page
