// Hints for misspelt names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::lesson {

// "did you mean 'count'? known: count, init, type", or only the known names when none is near; at most 24 are
// listed.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace lanescope::lesson
