#include "render/buffer.h"

#include <algorithm>
#include <new>

#include "buffer_memory.h"
#include "render/gl.h"

namespace lanescope::render {

// While a launch's records are copied into a buffer, they are there twice; a tab has at most 4 GiB.
std::uint64_t largest_buffer_bytes() {
    return 256u << 20;
}

Result<Buffer> Buffer::create(std::uint64_t size_bytes, const std::string& what,
                              std::span<const std::byte> data, BufferUse) {
    if (!data.empty()) size_bytes = data.size();
    const std::string size = what + ": " + std::to_string((size_bytes + (1u << 20) - 1) >> 20) + " MiB";
    if (size_bytes > largest_buffer_bytes())
        return error(size + " are too large; in a browser at most " +
                         std::to_string(largest_buffer_bytes() >> 20) + " MiB are drawn",
                     "record fewer blocks");
    try {
        std::vector<std::byte> bytes(data.begin(), data.end());
        bytes.resize(static_cast<std::size_t>(size_bytes));
        Buffer made;
        made.memory_ = std::make_unique<Memory>(std::move(bytes));
        return made;
    } catch (const std::bad_alloc&) {
        return error(size + " do not fit into the memory of this tab",
                     "record fewer blocks, or close other lessons");
    }
}

Result<Buffer> Buffer::import(const Descriptor&, std::uint64_t, const GpuUuid&, const std::string& what) {
    return error(what + ": a browser does not open memory of other processes");
}

Buffer::Buffer() = default;
Buffer::~Buffer() = default;
Buffer::Buffer(Buffer&& other) noexcept = default;
Buffer& Buffer::operator=(Buffer&& other) noexcept = default;

std::uint64_t Buffer::size_bytes() const {
    return memory_ ? memory_->bytes.size() : 0;
}

void Buffer::write(std::span<const std::byte> data) const {
    std::copy(data.begin(), data.end(), memory_->bytes.begin());
    memory_->changed();
}

void Buffer::clear() const {
    std::fill(memory_->bytes.begin(), memory_->bytes.end(), std::byte{0});
    memory_->changed();
}

void Buffer::read(std::uint64_t offset_bytes, std::span<std::byte> out) const {
    std::copy_n(memory_->bytes.begin() + static_cast<std::ptrdiff_t>(offset_bytes), out.size(), out.begin());
}

void Buffer::fill_texture(int width, int height) const {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, memory_->bytes.data());
}

}  // namespace lanescope::render
