// A colour target that is no window: what a headless picture is drawn into and read back from.
#pragma once

#include "base/result.h"
#include "image/image.h"
#include "render/gl.h"

namespace lanescope::render {

// What was drawn into the lower left corner of the framebuffer that is bound for reading: RGBA, top row
// first.
image::Image read_pixels(int width, int height);

class Framebuffer {
  public:
    // An 8-bit RGBA target. Errors: a size that the driver refuses (it names its limit).
    static Result<Framebuffer> create(int width, int height);
    ~Framebuffer();
    Framebuffer(Framebuffer&& other) noexcept;
    Framebuffer& operator=(Framebuffer&& other) noexcept;

    int width() const { return width_; }
    int height() const { return height_; }
    void bind() const;                  // and sets the viewport to all of it
    Result<image::Image> read() const;  // what was drawn, top row first

  private:
    Framebuffer() = default;

    GLuint framebuffer_ = 0;
    GLuint colour_ = 0;
    int width_ = 0, height_ = 0;
};

}  // namespace lanescope::render
