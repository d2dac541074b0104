#include "render/texture.h"

#include <algorithm>
#include <utility>
#include <vector>

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
    *this = Texture();
    glCreateTextures(GL_TEXTURE_2D, 1, &name_);
    glTextureStorage2D(name_, levels, GL_RGBA8, width, height);
    glTextureParameteri(name_, GL_TEXTURE_MIN_FILTER, levels > 1 ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST);
    glTextureParameteri(name_, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
        glTextureParameteri(name_, wrap, GL_CLAMP_TO_EDGE);
    if (auto made = check_gl("creating a texture"); !made) return made;
    width_ = width;
    height_ = height;
    levels_ = levels;
    return {};
}

Result<void> Texture::set(int width, int height, std::span<const std::uint32_t> pixels) {
    if (width < 1 || height < 1 || pixels.size() != std::size_t(width) * std::size_t(height))
        return error("a texture needs width × height pixels");
    if (auto made = make(width, height, 1); !made) return made;
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTextureSubImage2D(name_, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
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
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, pixels.name());
    glTextureSubImage2D(name_, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    averaged_ = levels == 1;
    return check_gl("filling a texture");
}

void Texture::average() {
    if (!averaged_) glGenerateTextureMipmap(name_);
    averaged_ = true;
}

Result<image::Image> read_texture(GLuint name) {
    GLint width = 0, height = 0;
    glGetTextureLevelParameteriv(name, 0, GL_TEXTURE_WIDTH, &width);
    glGetTextureLevelParameteriv(name, 0, GL_TEXTURE_HEIGHT, &height);
    std::vector<std::uint8_t> bytes(std::size_t(width) * std::size_t(height) * 4);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glGetTextureImage(name, 0, GL_RGBA, GL_UNSIGNED_BYTE, GLsizei(bytes.size()), bytes.data());
    if (auto checked = check_gl("reading a texture back"); !checked) return checked.diagnostics();
    return image::Image{{std::uint32_t(width), std::uint32_t(height), 4, 8}, {bytes.begin(), bytes.end()}};
}

}  // namespace lanescope::render
