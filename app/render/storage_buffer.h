// A buffer that shaders read and write. CUDA can share it by its number.
#pragma once

#include <cstddef>
#include <span>

#include "base/result.h"
#include "render/gl.h"

namespace lanescope::render {

class StorageBuffer {
  public:
    // The contents are undefined. Error: the driver has not enough memory.
    static Result<StorageBuffer> create(std::size_t size_bytes);
    ~StorageBuffer();
    StorageBuffer(StorageBuffer&& other) noexcept;
    StorageBuffer& operator=(StorageBuffer&& other) noexcept;

    GLuint number() const { return number_; }
    std::size_t size_bytes() const { return size_bytes_; }
    // Error: the range exceeds the buffer.
    Result<void> write(std::span<const std::byte> bytes, std::size_t offset_bytes = 0);
    Result<void> read(std::span<std::byte> bytes, std::size_t offset_bytes = 0) const;

  private:
    StorageBuffer() = default;

    GLuint number_ = 0;
    std::size_t size_bytes_ = 0;
};

}  // namespace lanescope::render
