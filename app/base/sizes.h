// Sizes of 64 bits on a machine whose own sizes may have 32, such as WebAssembly's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace lanescope {

// A limit in bytes, lowered to what can be held beside the rest of the program.
constexpr std::uint64_t holdable(std::uint64_t limit_bytes) {
    return sizeof(std::size_t) > 4 ? limit_bytes : std::min<std::uint64_t>(limit_bytes, 1u << 29);
}

// For counts that a user's code, a user's file or a trace decides: a count that does not fit must not wrap.
// Throws what a container throws that would become too long.
constexpr std::size_t to_size(std::uint64_t count) {
    if (count > std::numeric_limits<std::size_t>::max())
        throw std::length_error("needs more memory than this machine can address");
    return static_cast<std::size_t>(count);
}

}  // namespace lanescope
