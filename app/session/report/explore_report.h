// What an exploration found, as text and as JSON.
#pragma once

#include <string>

#include "session/run/explore.h"

namespace lanescope::session {

std::string exploration_text(const Exploration& exploration);
std::string exploration_json(const Exploration& exploration);

}  // namespace lanescope::session
