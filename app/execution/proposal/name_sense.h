// What the names of a kernel's parameters say about their values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lanescope::execution {

enum class NameSense : std::uint8_t { none, size, width, height, begin, end, rounds, radius, truth };
NameSense sense_of(const std::string& name);

// The value of a parameter whose name says more than that it is a number.
std::optional<std::int64_t> usual_value(NameSense sense);

}  // namespace lanescope::execution
