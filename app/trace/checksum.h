// Detects a damaged trace file; not for security.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace lanescope::trace {

// FNV-1a over words instead of bytes, which is fast enough for a GiB, with a rotation so that high bits
// matter, too.
inline std::uint64_t checksum(std::string_view bytes) {
    std::uint64_t sum = 0xcbf29ce484222325u;
    const auto add = [&sum](std::uint64_t word) { sum = std::rotl((sum ^ word) * 0x9e3779b97f4a7c15u, 29); };
    std::size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) {
        std::uint64_t word;
        std::memcpy(&word, bytes.data() + at, 8);
        add(word);
    }
    std::uint64_t word = 0;
    if (at < bytes.size()) std::memcpy(&word, bytes.data() + at, bytes.size() - at);
    add(word);
    add(bytes.size());
    return sum;
}

}  // namespace lanescope::trace
