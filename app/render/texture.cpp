#include "render/texture.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "render/framebuffer.h"

namespace lanescope::render {

Texture::~Texture() {
    if (name_) glDeleteTextures(1, &name_);
}

Texture::Texture(Texture&& other) noexcept
    : name_(std::exchange(other.name_, 0)),
      width_(other.width_),
      height_(other.height_),
      levels_(other.levels_),
      averaged_(other.averaged_) {}

Texture& Texture::operator=(Texture&& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(width_, other.width_);
    std::swap(height_, other.height_);
    std::swap(levels_, other.levels_);
    std::swap(averaged_, other.averaged_);
    return *this;
}

Result<void> Texture::make(int width, int height, int levels) {
    if (width == width_ && height == height_ && levels == levels_) return {};
    GLint limit = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    if (width > limit || height > limit)
        return error("a picture of " + std::to_string(width) + "x" + std::to_string(height) +
                         " pixels cannot be shown",
                     "at most " + std::to_string(limit) + " pixels per side");
    *this = Texture();
    glGenTextures(1, &name_);
    glBindTexture(GL_TEXTURE_2D, name_);
    glTexStorage2D(GL_TEXTURE_2D, levels, GL_RGBA8, width, height);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, levels > 1 ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
        glTexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
    if (auto made = check_gl("creating a texture"); !made) return made;
    width_ = width;
    height_ = height;
    levels_ = levels;
    return {};
}

void Texture::prepare_to_fill() const {
    glBindTexture(GL_TEXTURE_2D, name_);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

Result<void> Texture::set(int width, int height, std::span<const std::uint32_t> pixels) {
    if (width < 1 || height < 1 || pixels.size() != std::size_t(width) * std::size_t(height))
        return error("a texture needs width × height pixels");
    if (auto made = make(width, height, 1); !made) return made;
    prepare_to_fill();
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    return check_gl("filling a texture");
}

Result<void> Texture::copy_from(const Buffer& pixels, int width, int height) {
    if (width < 1 || height < 1 ||
        pixels.size_bytes() < std::uint64_t{4} * unsigned(width) * unsigned(height))
        return error("a texture needs width × height pixels");
    int levels = 1;
    while (std::max(width, height) >> levels != 0)
        ++levels;
    if (auto made = make(width, height, levels); !made) return made;
    prepare_to_fill();
    pixels.fill_texture(width, height);
    averaged_ = levels == 1;
    return check_gl("filling a texture");
}

void Texture::average() {
    if (averaged_) return;
    glBindTexture(GL_TEXTURE_2D, name_);
    glGenerateMipmap(GL_TEXTURE_2D);
    averaged_ = true;
}

Result<image::Image> read_texture(GLuint name) {
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    std::array<int, 2> size{};
    std::vector<std::uint8_t> bytes;
    {
        const ReadBinding from(framebuffer);
        glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name, 0);
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        size = texture_size(name);
        bytes.resize(std::size_t(size[0]) * std::size_t(size[1]) * 4);
        glReadPixels(0, 0, size[0], size[1], GL_RGBA, GL_UNSIGNED_BYTE, bytes.data());
    }
    glDeleteFramebuffers(1, &framebuffer);
    if (auto checked = check_gl("reading a texture back"); !checked) return checked.diagnostics();
    return image::Image{{std::uint32_t(size[0]), std::uint32_t(size[1]), 4, 8}, {bytes.begin(), bytes.end()}};
}

}  // namespace lanescope::render
