#include "render/texture_target.h"

#include <string>

namespace lanescope::render {

TextureTarget::~TextureTarget() {
    drop();
}

void TextureTarget::drop() {
    if (framebuffer_) glDeleteFramebuffers(1, &framebuffer_);
    if (texture_) glDeleteTextures(1, &texture_);
    framebuffer_ = texture_ = 0;
    width_ = height_ = 0;
}

Result<void> TextureTarget::resize(int width, int height) {
    if (width == width_ && height == height_) return {};
    drop();
    GLint limit = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    if (width < 1 || height < 1 || width > limit || height > limit)
        return error("a map of " + std::to_string(width) + "x" + std::to_string(height) +
                     " pixels cannot be drawn");
    glCreateTextures(GL_TEXTURE_2D, 1, &texture_);
    glTextureStorage2D(texture_, 1, GL_RGBA8, width, height);
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        glTextureParameteri(texture_, filter, GL_NEAREST);
    glCreateFramebuffers(1, &framebuffer_);
    glNamedFramebufferTexture(framebuffer_, GL_COLOR_ATTACHMENT0, texture_, 0);
    width_ = width, height_ = height;
    return check_gl("creating a texture to draw into");
}

TextureTarget::Bound::Bound(const TextureTarget& target) {
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer_);
    glGetIntegerv(GL_VIEWPORT, viewport_);
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer_);
    glViewport(0, 0, target.width_, target.height_);
}

TextureTarget::Bound::~Bound() {
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(framebuffer_));
    glViewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
}

}  // namespace lanescope::render
