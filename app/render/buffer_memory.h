// What OpenGL has of a buffer.
#pragma once

#include "render/buffer.h"
#include "render/gl.h"

namespace lanescope::render {

struct Buffer::Memory {
    GLuint name = 0;
    GLuint imported = 0;  // OpenGL's object for memory of another process
    std::uint64_t size_bytes = 0;

    explicit Memory(std::uint64_t size) : size_bytes(size) {}
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory();
};

}  // namespace lanescope::render
