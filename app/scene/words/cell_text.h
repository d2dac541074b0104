// Values of memory cells as short text and as shares of a colour scale. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/value_type.h"

namespace lanescope::scene {

// What the colour of a cell means.
enum class CellColour : std::uint8_t {
    automatic,  // origin, where the kernels only move data; else state
    state,      // read or written in the step
    origin,     // the input that the value came from
};

// How real numbers are written; hexadecimal: their bits.
enum class RealFormat : std::uint8_t { decimal, scientific, hexadecimal };

struct CellStyle {
    RealFormat reals = RealFormat::decimal;
    bool stacked = false;    // members of a structure below each other
    bool character = false;  // whole numbers are characters of a text
};

// How many lines a value takes when it is stacked: the members of a small structure of numbers, else 1.
int stacked_lines(const TypeTable& types, TypeId type);
// The name of each stacked line; empty when there is only one.
std::vector<std::string> stacked_names(const TypeTable& types, TypeId type);

// Text of one cell that has at most `max_chars` characters; characters without quotes, booleans as 1 and 0.
// A value that cannot be that short gives "…". Stacked members are lines of at most `max_chars` characters.
std::string cell_text(const TypeTable& types, TypeId type, std::span<const std::byte> bytes, int max_chars,
                      const CellStyle& style = {});

// Returns how many characters this value needs: all digits of an integer, five characters of a real number.
int wanted_chars(const TypeTable& types, TypeId type, std::span<const std::byte> bytes,
                 const CellStyle& style = {});
// Returns the most characters that any of these cells needs; looks at no more than a few thousand of them.
// `set` has one flag per byte.
int widest_cell(const TypeTable& types, TypeId type, std::uint32_t cell_bytes,
                std::span<const std::byte> bytes, std::span<const bool> set, const CellStyle& style = {});

// Smallest and largest number seen, for colours.
struct NumberRange {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void include(double value);  // ignores what is not finite
    bool empty() const { return low > high; }
    float share(double value) const;  // 0 … 1; negative when there is no number
};

}  // namespace lanescope::scene
