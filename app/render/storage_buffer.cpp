#include "render/storage_buffer.h"

#include <algorithm>
#include <string>
#include <utility>

namespace lanescope::render {

namespace {

Result<void> in_range(std::size_t size_bytes, std::size_t offset_bytes, std::size_t buffer_bytes) {
    if (offset_bytes <= buffer_bytes && size_bytes <= buffer_bytes - offset_bytes) return {};
    return error("a copy of " + std::to_string(size_bytes) + " bytes at " + std::to_string(offset_bytes) +
                 " does not fit into an OpenGL buffer of " + std::to_string(buffer_bytes) + " bytes");
}

}  // namespace

Result<StorageBuffer> StorageBuffer::create(std::size_t size_bytes) {
    StorageBuffer buffer;
    glCreateBuffers(1, &buffer.number_);
    buffer.size_bytes_ = size_bytes;
    // OpenGL has no empty storage.
    glNamedBufferStorage(buffer.number_, static_cast<GLsizeiptr>(std::max<std::size_t>(size_bytes, 1)),
                         nullptr, GL_DYNAMIC_STORAGE_BIT);
    if (const Result<void> made = check_gl("an OpenGL buffer of " + std::to_string(size_bytes) + " bytes");
        !made)
        return made.diagnostics();
    return buffer;
}

StorageBuffer::~StorageBuffer() {
    if (number_) glDeleteBuffers(1, &number_);
}

StorageBuffer::StorageBuffer(StorageBuffer&& other) noexcept
    : number_(std::exchange(other.number_, 0)), size_bytes_(std::exchange(other.size_bytes_, 0)) {}

StorageBuffer& StorageBuffer::operator=(StorageBuffer&& other) noexcept {
    std::swap(number_, other.number_);
    std::swap(size_bytes_, other.size_bytes_);
    return *this;
}

Result<void> StorageBuffer::write(std::span<const std::byte> bytes, std::size_t offset_bytes) {
    if (const Result<void> fits = in_range(bytes.size(), offset_bytes, size_bytes_); !fits) return fits;
    glNamedBufferSubData(number_, static_cast<GLintptr>(offset_bytes), static_cast<GLsizeiptr>(bytes.size()),
                         bytes.data());
    return check_gl("writing an OpenGL buffer");
}

Result<void> StorageBuffer::read(std::span<std::byte> bytes, std::size_t offset_bytes) const {
    if (const Result<void> fits = in_range(bytes.size(), offset_bytes, size_bytes_); !fits) return fits;
    glGetNamedBufferSubData(number_, static_cast<GLintptr>(offset_bytes),
                            static_cast<GLsizeiptr>(bytes.size()), bytes.data());
    return check_gl("reading an OpenGL buffer");
}

}  // namespace lanescope::render
