// A colour target that is not a window: a picture to read back, or a rectangle of the window.
#pragma once

#include "base/result.h"
#include "image/image.h"
#include "render/gl.h"

namespace lanescope::render {

// Reads the lower left corner of the framebuffer that is bound for reading: RGBA, top row first.
image::Image read_pixels(int width, int height);

// While it lives, pixels are read from this framebuffer.
class ReadBinding {
  public:
    explicit ReadBinding(GLuint framebuffer);
    ~ReadBinding();
    ReadBinding(const ReadBinding&) = delete;
    ReadBinding& operator=(const ReadBinding&) = delete;

  private:
    GLint before_ = 0;
};

class Framebuffer {
  public:
    Framebuffer() = default;
    // Creates an 8-bit RGBA target. Error: a size that the driver refuses; the message names the limit.
    static Result<Framebuffer> create(int width, int height);
    ~Framebuffer();
    Framebuffer(Framebuffer&& other) noexcept;
    Framebuffer& operator=(Framebuffer&& other) noexcept;

    int width() const { return width_; }
    int height() const { return height_; }
    GLuint texture() const { return texture_; }  // its first row is the lowest
    GLuint name() const { return framebuffer_; }
    void bind() const;                  // sets the viewport to the whole target, too
    Result<image::Image> read() const;  // the drawn picture, top row first

    // While it lives, drawing goes into the target; then the previous target is bound again.
    class Bound {
      public:
        explicit Bound(const Framebuffer& target);
        ~Bound();
        Bound(const Bound&) = delete;
        Bound& operator=(const Bound&) = delete;

      private:
        GLint framebuffer_ = 0, viewport_[4] = {};
    };

  private:
    GLuint framebuffer_ = 0, texture_ = 0;
    int width_ = 0, height_ = 0;
};

}  // namespace lanescope::render
