// A buffer in GPU memory that shaders read and write. In a browser, whose shaders read no buffers, it is in
// the memory of the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "render/imported_memory.h"

namespace lanescope::render {

enum class BufferUse : std::uint8_t { gpu_only, rewritten };  // rewritten: write() may be called repeatedly

class Buffer {
  public:
    Buffer();
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

    bool exists() const { return memory_ != nullptr; }
    std::uint64_t size_bytes() const;
    void write(std::span<const std::byte> data) const;
    void clear() const;  // to zeros
    // Waits for the GPU.
    void read(std::uint64_t offset_bytes, std::span<std::byte> out) const;
    // Fills the bound texture with the first width × height pixels of 8-bit RGBA.
    void fill_texture(int width, int height) const;

    struct Memory;  // buffer_memory.h, or webgl/buffer_memory.h
    const Memory* memory() const { return memory_.get(); }

  private:
    std::unique_ptr<Memory> memory_;
};

// Returns the size of the largest buffer that shaders can read.
std::uint64_t largest_buffer_bytes();

}  // namespace lanescope::render
