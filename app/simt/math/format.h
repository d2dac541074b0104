// The device's printf: a C format string and a packed argument buffer to text.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::simt {

// Reads a value of 1 to 8 bytes at an offset of the argument buffer.
using ReadArgument = std::function<std::uint64_t(std::uint64_t offset, unsigned size_bytes)>;
// Reads a NUL-terminated string at a generic address; nothing when the address is bad.
using ReadString = std::function<std::optional<std::string>(std::uint64_t address)>;

struct Formatted {
    std::string text;
    int arguments = 0;  // how many were used
};
// Arguments lie at their natural alignment. A conversion that C does not know is printed as it stands.
Formatted format_printf(std::string_view format, const ReadArgument& argument, const ReadString& string);

}  // namespace lanescope::simt
