// Texts and numbers as people write them.
#pragma once

#include <string>
#include <string_view>

namespace lanescope::judge {

constexpr double relative_tolerance = 1e-6;  // of real numbers

// White space between words becomes one space.
std::string folded(std::string_view text);

// The first words of a text, with "…" if some are left out. At most `most_bytes` without it.
std::string shortened(std::string_view text, std::size_t most_bytes);

std::string of_points(int points, int most);  // "3 of 10 points"

}  // namespace lanescope::judge
