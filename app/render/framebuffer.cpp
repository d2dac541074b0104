#include "render/framebuffer.h"

#include <algorithm>
#include <string>
#include <utility>

namespace lanescope::render {

image::Image read_pixels(int width, int height) {
    image::Image image{{std::uint32_t(width), std::uint32_t(height), 4, 8}, {}};
    const std::size_t row_bytes = std::size_t(width) * 4;
    std::vector<std::uint8_t> bytes(row_bytes * std::size_t(height));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, bytes.data());
    image.samples.reserve(bytes.size());
    for (auto end = bytes.cend(); end != bytes.cbegin();
         end -= std::ptrdiff_t(row_bytes))  // OpenGL's first row is the lowest
        image.samples.insert(image.samples.end(), end - std::ptrdiff_t(row_bytes), end);
    return image;
}

Result<Framebuffer> Framebuffer::create(int width, int height) {
    GLint limit = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    if (width < 1 || height < 1 || width > limit || height > limit)
        return error("a picture of " + std::to_string(width) + "x" + std::to_string(height) +
                         " pixels cannot be drawn",
                     "1 to " + std::to_string(limit) + " pixels per side");
    Framebuffer target;
    target.width_ = width;
    target.height_ = height;
    glGenTextures(1, &target.texture_);
    glBindTexture(GL_TEXTURE_2D, target.texture_);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, width, height);
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        glTexParameteri(GL_TEXTURE_2D, filter, GL_LINEAR);
    glGenFramebuffers(1, &target.framebuffer_);
    const ReadBinding made(target.framebuffer_);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.texture_, 0);
    if (auto checked = check_gl("creating a picture"); !checked) return checked.diagnostics();
    if (glCheckFramebufferStatus(GL_READ_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return error("the driver cannot draw into a picture of " + std::to_string(width) + "x" +
                     std::to_string(height) + " pixels");
    return target;
}

Framebuffer::~Framebuffer() {
    if (framebuffer_) glDeleteFramebuffers(1, &framebuffer_);
    if (texture_) glDeleteTextures(1, &texture_);
}

Framebuffer::Framebuffer(Framebuffer&& other) noexcept
    : framebuffer_(std::exchange(other.framebuffer_, 0)),
      texture_(std::exchange(other.texture_, 0)),
      width_(other.width_),
      height_(other.height_) {}

Framebuffer& Framebuffer::operator=(Framebuffer&& other) noexcept {
    std::swap(framebuffer_, other.framebuffer_);
    std::swap(texture_, other.texture_);
    std::swap(width_, other.width_);
    std::swap(height_, other.height_);
    return *this;
}

void Framebuffer::bind() const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glViewport(0, 0, width_, height_);
}

Result<image::Image> Framebuffer::read() const {
    const ReadBinding from(framebuffer_);
    image::Image image = read_pixels(width_, height_);
    if (auto checked = check_gl("reading a picture back"); !checked) return checked.diagnostics();
    return image;
}

ReadBinding::ReadBinding(GLuint framebuffer) {
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &before_);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
}

ReadBinding::~ReadBinding() {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(before_));
}

Framebuffer::Bound::Bound(const Framebuffer& target) {
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer_);
    glGetIntegerv(GL_VIEWPORT, viewport_);
    target.bind();
}

Framebuffer::Bound::~Bound() {
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(framebuffer_));
    glViewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
}

}  // namespace lanescope::render
