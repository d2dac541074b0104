// The values outside of the image.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lanescope::preview {

enum class Border : std::uint8_t {
    zero,    // nothing: the kernels' own ghost cells
    clamp,   // the nearest pixel:            aaa|abcd|ddd   (BORDER_REPLICATE)
    mirror,  // mirrored at the last pixel:   dcb|abcd|cba   (BORDER_REFLECT_101)
    wrap,    // the other side:               bcd|abcd|abc   (BORDER_WRAP)
};

const char* to_text(Border border);
Result<Border> parse_border(std::string_view text);  // error: unknown; the hint has all

// Returns which of `count` pixels (at least 1) stands for position `at`, which may lie anywhere; -1: none, a
// zero.
std::int64_t source_index(std::int64_t at, std::int64_t count, Border border);

}  // namespace lanescope::preview
