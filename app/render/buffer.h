// A buffer in GPU memory that shaders read and write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "render/gl.h"
#include "render/imported_memory.h"

namespace lanescope::render {

enum class BufferUse : std::uint8_t { gpu_only, rewritten };  // rewritten: write() may be called repeatedly

class Buffer {
  public:
    Buffer() = default;
    // Creates immutable storage and fills it with `data` if there is any; its size then replaces
    // `size_bytes`. `what` names the buffer in messages. Errors: more bytes than shaders may read in one
    // buffer; no memory.
    static Result<Buffer> create(std::uint64_t size_bytes, const std::string& what,
                                 std::span<const std::byte> data = {}, BufferUse use = BufferUse::gpu_only);
    // Uses memory of the same GPU that another process made; see imported_memory.h. Errors: those of
    // check_import(); more bytes than shaders may read; the driver's own.
    static Result<Buffer> import(const Descriptor& memory, std::uint64_t size_bytes, const GpuUuid& gpu,
                                 const std::string& what);
    ~Buffer();
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;

    GLuint name() const { return name_; }  // 0: none; other GPU interfaces register this name
    std::uint64_t size_bytes() const { return size_bytes_; }
    void bind(GLuint binding) const { glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, name_); }
    void write(std::span<const std::byte> data) const;
    void clear() const;  // to zeros
    // Waits for the GPU.
    void read(std::uint64_t offset_bytes, std::span<std::byte> out) const;

  private:
    GLuint name_ = 0;
    GLuint memory_ = 0;  // OpenGL's object for imported memory
    std::uint64_t size_bytes_ = 0;
};

// Returns the size of the largest buffer that shaders can read.
std::uint64_t largest_buffer_bytes();

}  // namespace lanescope::render
