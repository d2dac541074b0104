#include "render/buffer.h"

#include <utility>

#include "render/buffer_memory.h"

namespace lanescope::render {
namespace {

std::string in_mebibytes(std::uint64_t bytes) {
    return std::to_string((bytes + (1u << 20) - 1) >> 20) + " MiB";
}

}  // namespace

std::uint64_t largest_buffer_bytes() {
    GLint64 limit = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &limit);
    return limit > 0 ? static_cast<std::uint64_t>(limit) : 0;
}

Result<Buffer> Buffer::create(std::uint64_t size_bytes, const std::string& what,
                              std::span<const std::byte> data, BufferUse use) {
    if (!data.empty()) size_bytes = data.size();
    const bool empty = size_bytes == 0;
    if (empty) size_bytes = 16;  // OpenGL has no empty buffers
    if (const std::uint64_t limit = largest_buffer_bytes(); size_bytes > limit)
        return error(what + ": " + in_mebibytes(size_bytes) +
                         " are too large; this driver's shaders read at most " + in_mebibytes(limit) +
                         " of one buffer",
                     "record fewer blocks");
    (void)check_gl("");  // drops errors of earlier calls
    Buffer made;
    made.memory_ = std::make_unique<Memory>(size_bytes);
    glCreateBuffers(1, &made.memory_->name);
    glNamedBufferStorage(made.memory_->name, static_cast<GLsizeiptr>(size_bytes),
                         data.empty() ? nullptr : data.data(),
                         use == BufferUse::rewritten ? GL_DYNAMIC_STORAGE_BIT : 0);
    if (const Result<void> checked = check_gl("memory for " + what + " (" + in_mebibytes(size_bytes) + ")");
        !checked)
        return checked.diagnostics();
    if (empty) made.clear();
    return made;
}

Result<Buffer> Buffer::import(const Descriptor& memory, std::uint64_t size_bytes, const GpuUuid& gpu,
                              const std::string& what) {
    if (Result<void> can = check_import(gpu); !can) return can.diagnostics();
    if (const std::uint64_t limit = largest_buffer_bytes(); size_bytes > limit)
        return error(what + ": this driver's shaders read at most " + in_mebibytes(limit) + " of one buffer");
    Result<Descriptor> given = memory.copy();
    if (!given) return given.diagnostics();
    (void)check_gl("");  // drops errors of earlier calls
    Buffer made;
    made.memory_ = std::make_unique<Memory>(size_bytes);
    made.memory_->imported = import_memory(std::move(*given), size_bytes);
    glCreateBuffers(1, &made.memory_->name);
    store_in_memory(made.memory_->name, size_bytes, made.memory_->imported);
    if (const Result<void> checked = check_gl("opening " + what + " (" + in_mebibytes(size_bytes) + ")");
        !checked)
        return checked.diagnostics();
    return made;
}

Buffer::Memory::~Memory() {
    if (name) glDeleteBuffers(1, &name);
    if (imported) delete_memory(imported);
}

Buffer::Buffer() = default;
Buffer::~Buffer() = default;
Buffer::Buffer(Buffer&& other) noexcept = default;
Buffer& Buffer::operator=(Buffer&& other) noexcept = default;

std::uint64_t Buffer::size_bytes() const {
    return memory_ ? memory_->size_bytes : 0;
}

void Buffer::write(std::span<const std::byte> data) const {
    glNamedBufferSubData(memory_->name, 0, static_cast<GLsizeiptr>(data.size()), data.data());
}

void Buffer::clear() const {
    glClearNamedBufferData(memory_->name, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
}

// NVIDIA's driver 580 reads imported memory by way of a copy of all of it on the host, which it does not
// bring up to date when the other process writes. A copy on the GPU is up to date.
void Buffer::read(std::uint64_t offset_bytes, std::span<std::byte> out) const {
    if (memory_->imported != 0) {
        const Result<Buffer> copied = create(out.size(), "a copy of shared memory");
        if (!copied) return;
        glCopyNamedBufferSubData(memory_->name, copied->memory_->name, static_cast<GLintptr>(offset_bytes), 0,
                                 static_cast<GLsizeiptr>(out.size()));
        return copied->read(0, out);
    }
    glGetNamedBufferSubData(memory_->name, static_cast<GLintptr>(offset_bytes),
                            static_cast<GLsizeiptr>(out.size()), out.data());
}

void Buffer::fill_texture(int width, int height) const {
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, memory_->name);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

}  // namespace lanescope::render
