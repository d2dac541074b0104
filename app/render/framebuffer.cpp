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
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limit);
    if (width < 1 || height < 1 || width > limit || height > limit)
        return error("a picture of " + std::to_string(width) + "x" + std::to_string(height) +
                         " pixels cannot be drawn",
                     "1 to " + std::to_string(limit) + " pixels per side");
    Framebuffer target;
    target.width_ = width;
    target.height_ = height;
    glCreateRenderbuffers(1, &target.colour_);
    glNamedRenderbufferStorage(target.colour_, GL_RGBA8, width, height);
    glCreateFramebuffers(1, &target.framebuffer_);
    glNamedFramebufferRenderbuffer(target.framebuffer_, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                   target.colour_);
    if (auto checked = check_gl("creating a picture"); !checked) return checked.diagnostics();
    if (glCheckNamedFramebufferStatus(target.framebuffer_, GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return error("the driver cannot draw into a picture of " + std::to_string(width) + "x" +
                     std::to_string(height) + " pixels");
    return target;
}

Framebuffer::~Framebuffer() {
    if (framebuffer_) glDeleteFramebuffers(1, &framebuffer_);
    if (colour_) glDeleteRenderbuffers(1, &colour_);
}

Framebuffer::Framebuffer(Framebuffer&& other) noexcept
    : framebuffer_(std::exchange(other.framebuffer_, 0)),
      colour_(std::exchange(other.colour_, 0)),
      width_(other.width_),
      height_(other.height_) {}

Framebuffer& Framebuffer::operator=(Framebuffer&& other) noexcept {
    std::swap(framebuffer_, other.framebuffer_);
    std::swap(colour_, other.colour_);
    std::swap(width_, other.width_);
    std::swap(height_, other.height_);
    return *this;
}

void Framebuffer::bind() const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glViewport(0, 0, width_, height_);
}

Result<image::Image> Framebuffer::read() const {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
    image::Image image = read_pixels(width_, height_);
    if (auto checked = check_gl("reading a picture back"); !checked) return checked.diagnostics();
    return image;
}

}  // namespace lanescope::render
