// What an exploration found, as text and as JSON.
#pragma once

#include <string>

#include "execution/run/explore.h"

namespace lanescope::session {

std::string exploration_text(const execution::Exploration& exploration);
std::string exploration_json(const execution::Exploration& exploration);

}  // namespace lanescope::session
