#include "base/number_text.h"

#include <cstdio>

namespace lanescope {

std::string grouped(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t i = digits.size(); i > 3; i -= 3)
        digits.insert(i - 3, " ");
    return digits;
}

// Three digits are enough for a limit, and none of them must hide that it is above 0.
std::string seconds_text(double seconds) {
    constexpr double per_second = 1000, rounded_from_s = 10, least_s = 0.1;
    char text[32];
    if (seconds >= rounded_from_s)
        std::snprintf(text, sizeof text, "%.0f s", seconds);
    else if (seconds >= least_s || seconds == 0)
        std::snprintf(text, sizeof text, "%.3g s", seconds);
    else
        std::snprintf(text, sizeof text, "%.3g ms", seconds * per_second);
    return text;
}

std::string counted(std::uint64_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace lanescope
