// A picture on the GPU that views draw as a rectangle; its pixels are sampled without blending between them.
#pragma once

#include <cstdint>
#include <span>

#include "render/gl.h"

namespace lanescope::render {

class Texture {
  public:
    Texture() = default;
    ~Texture();
    Texture(Texture&& other) noexcept;
    Texture& operator=(Texture&& other) noexcept;

    // height × width pixels of 8-bit RGBA, red in the lowest byte, first row first. Storage is made anew only
    // when the size changes. Error: a size that the driver refuses.
    Result<void> set(int width, int height, std::span<const std::uint32_t> pixels);
    GLuint name() const { return name_; }  // 0 before the first set()

  private:
    GLuint name_ = 0;
    int width_ = 0, height_ = 0;
};

}  // namespace lanescope::render
