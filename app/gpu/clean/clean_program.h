// Optimised machine code with its buffers and launches, for an untouched run on a GPU.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "simt/texture/texture.h"

namespace lanescope::gpu {

// Part of the device's memory.
struct Place {
    std::uint64_t address = 0;
    std::uint64_t size_bytes = 0;
};

struct CleanBuffer {
    std::string name;
    std::string symbol;  // of a module-scope variable; empty: memory of its own
    std::uint64_t size_bytes = 0;
    std::span<const std::byte> contents;  // empty: not initialised; memory of its own then holds a pattern
};

// A texture object over a buffer, whose address is set for each copy of the buffer.
struct CleanTexture {
    std::string name;
    int buffer = 0;
    simt::Texture texture;
};

struct CleanArgument {
    std::vector<std::byte> bytes;
    int buffer = -1;  // its address goes there; from the number of buffers on: the handle of a texture
    std::uint64_t offset_bytes = 0;  // from that address
};

struct CleanLaunch {
    std::string kernel;  // symbol
    std::string label;   // for messages
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::uint64_t shared_bytes = 0;
    bool cooperative = false;
    std::vector<CleanArgument> arguments;
};

struct CleanProgram {
    std::span<const char> cubin;
    std::vector<CleanBuffer> buffers;
    std::vector<CleanTexture> textures;
    std::vector<CleanLaunch> launches;  // in order
    // Module-scope variables that are not buffers; a run may change their contents.
    std::vector<std::string> variables;
};

}  // namespace lanescope::gpu
