#include "base/number_text.h"

#include <chrono>
#include <cstdio>
#include <ctime>

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

std::string utc_now() {
    const std::time_t time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm utc{};
    gmtime_r(&time, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

std::string element_text(const std::string& name, std::span<const std::uint64_t> extents,
                         std::uint64_t element) {
    const auto index = [](std::uint64_t at) { return "[" + std::to_string(at) + "]"; };
    if (extents.size() != 2 || extents[1] == 0) return name + index(element);
    return name + index(element / extents[1]) + index(element % extents[1]);
}

}  // namespace lanescope
