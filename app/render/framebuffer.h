// A colour target that is not a window. Headless pictures are drawn into it and read back.
#pragma once

#include "base/result.h"
#include "image/image.h"
#include "render/gl.h"

namespace lanescope::render {

// Reads the lower left corner of the framebuffer that is bound for reading: RGBA, top row first.
image::Image read_pixels(int width, int height);

class Framebuffer {
  public:
    // Creates an 8-bit RGBA target. Error: a size that the driver refuses; the message names the limit.
    static Result<Framebuffer> create(int width, int height);
    ~Framebuffer();
    Framebuffer(Framebuffer&& other) noexcept;
    Framebuffer& operator=(Framebuffer&& other) noexcept;

    int width() const { return width_; }
    int height() const { return height_; }
    void bind() const;                  // sets the viewport to the whole target, too
    Result<image::Image> read() const;  // the drawn picture, top row first

  private:
    Framebuffer() = default;

    GLuint framebuffer_ = 0;
    GLuint colour_ = 0;
    int width_ = 0, height_ = 0;
};

}  // namespace lanescope::render
