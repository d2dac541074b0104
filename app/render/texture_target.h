// A texture to draw into and then show as a rectangle of the window.
#pragma once

#include "base/result.h"
#include "render/gl.h"

namespace lanescope::render {

class TextureTarget {
  public:
    TextureTarget() = default;
    ~TextureTarget();
    TextureTarget(const TextureTarget&) = delete;
    TextureTarget& operator=(const TextureTarget&) = delete;

    Result<void> resize(int width, int height);  // 8-bit RGBA; a new size discards the contents
    GLuint texture() const { return texture_; }  // its first row is the lowest
    int width() const { return width_; }
    int height() const { return height_; }

    // While it lives, drawing goes into the target; then the previous target is bound again.
    class Bound {
      public:
        explicit Bound(const TextureTarget& target);
        ~Bound();
        Bound(const Bound&) = delete;
        Bound& operator=(const Bound&) = delete;

      private:
        GLint framebuffer_ = 0, viewport_[4] = {};
    };

  private:
    void drop();

    GLuint texture_ = 0, framebuffer_ = 0;
    int width_ = 0, height_ = 0;
};

}  // namespace lanescope::render
