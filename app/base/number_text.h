// Formats numbers for people.
#pragma once

#include <cstdint>
#include <string>

namespace lanescope {

std::string grouped(std::uint64_t number);                          // "1 234 567"
std::string seconds_text(double seconds);                           // "60 s", "0.5 s", "20 ms"
std::string counted(std::uint64_t count, const std::string& noun);  // "1 step", "2 steps"

}  // namespace lanescope
