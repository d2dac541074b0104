#include "render/texture.h"

#include <utility>

namespace lanescope::render {

Texture::~Texture() {
    if (name_) glDeleteTextures(1, &name_);
}

Texture::Texture(Texture&& other) noexcept
    : name_(std::exchange(other.name_, 0)), width_(other.width_), height_(other.height_) {}

Texture& Texture::operator=(Texture&& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(width_, other.width_);
    std::swap(height_, other.height_);
    return *this;
}

Result<void> Texture::set(int width, int height, std::span<const std::uint32_t> pixels) {
    if (width < 1 || height < 1 || pixels.size() != std::size_t(width) * std::size_t(height))
        return error("a texture needs width × height pixels");
    if (width != width_ || height != height_) {
        *this = Texture();
        glCreateTextures(GL_TEXTURE_2D, 1, &name_);
        glTextureStorage2D(name_, 1, GL_RGBA8, width, height);
        for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
            glTextureParameteri(name_, filter, GL_NEAREST);
        for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
            glTextureParameteri(name_, wrap, GL_CLAMP_TO_EDGE);
        if (auto made = check_gl("creating a texture"); !made) return made;
        width_ = width;
        height_ = height;
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTextureSubImage2D(name_, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    return check_gl("filling a texture");
}

}  // namespace lanescope::render
