// Inputs of the fuzz target "client": a PTX text, and what a device's process answers to a run of its
// kernels. Each piece has its length in 8 bytes in front of it; the first is the text. An answer begins with
// the number of its message (gpu/served/calls.def); the target writes the header of the frame.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::fuzz {

inline std::string client_piece(std::string_view bytes) {
    const std::uint64_t size = bytes.size();
    std::string piece(reinterpret_cast<const char*>(&size), sizeof size);
    return piece += bytes;
}

// The contents of the whole pieces.
inline std::vector<std::string_view> client_pieces(std::string_view input) {
    std::vector<std::string_view> pieces;
    while (input.size() >= sizeof(std::uint64_t)) {
        std::uint64_t size = 0;
        std::memcpy(&size, input.data(), sizeof size);
        input.remove_prefix(sizeof size);
        if (size > input.size()) break;
        pieces.push_back(input.substr(0, size));
        input.remove_prefix(size);
    }
    return pieces;
}

}  // namespace lanescope::fuzz
