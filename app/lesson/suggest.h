// Gives hints for misspelt names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::lesson {

// Returns the name that is most likely meant; empty if none is near.
std::string nearest(std::string_view name, const std::vector<std::string>& known);

// Returns "did you mean 'count'? known: count, init, type", or only the known names if none is near; lists at
// most 24 of them.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace lanescope::lesson
