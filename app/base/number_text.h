// Numbers and times as texts.
#pragma once

#include <charconv>
#include <cstdint>
#include <span>
#include <string>

namespace lanescope {

std::string grouped(std::uint64_t number);                          // "1 234 567"
std::string seconds_text(double seconds);                           // "60 s", "0.5 s", "20 ms"
std::string counted(std::uint64_t count, const std::string& noun);  // "1 step", "2 steps"
std::string utc_now();                                              // "2026-11-27T15:10:42Z"

// The shortest text that reads back as the same number.
template <class Number>
std::string shortest(Number value) {
    char buffer[64];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
    return {buffer, result.ptr};
}

// "in[5]", "tile[1][2]": an element of an array with these extents.
std::string element_text(const std::string& name, std::span<const std::uint64_t> extents,
                         std::uint64_t element);

}  // namespace lanescope
