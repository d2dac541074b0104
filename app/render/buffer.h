// A piece of the GPU's memory that shaders read and write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "render/gl.h"

namespace lanescope::render {

enum class BufferUse : std::uint8_t { gpu_only, rewritten };  // rewritten: by write(), again and again

class Buffer {
  public:
    Buffer() = default;
    // Immutable storage, filled with `data` when there is any (then size_bytes is its size). Errors: more
    // than shaders may read in one piece; no memory. `what` names it in messages.
    static Result<Buffer> create(std::uint64_t size_bytes, const std::string& what,
                                 std::span<const std::byte> data = {}, BufferUse use = BufferUse::gpu_only);
    ~Buffer();
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;

    GLuint name() const { return name_; }  // 0: none. Also what other GPU interfaces register
    std::uint64_t size_bytes() const { return size_bytes_; }
    void bind(GLuint binding) const { glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, name_); }
    void write(std::span<const std::byte> data) const;
    void clear() const;  // to zeros
    // Waits for the GPU.
    void read(std::uint64_t offset_bytes, std::span<std::byte> out) const;

  private:
    GLuint name_ = 0;
    std::uint64_t size_bytes_ = 0;
};

// What shaders can read in one piece.
std::uint64_t largest_buffer_bytes();

}  // namespace lanescope::render
