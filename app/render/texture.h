// A picture on the GPU that views draw as a rectangle; its pixels are sampled without blending between them.
#pragma once

#include <cstdint>
#include <span>

#include "render/buffer.h"
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
    // The same from a buffer of the GPU, on which the pixels stay.
    Result<void> copy_from(const Buffer& pixels, int width, int height);
    // Before what copy_from() brought is drawn smaller than it is: then pixels are averaged.
    void average();
    GLuint name() const { return name_; }  // 0 before the first set()

  private:
    Result<void> make(int width, int height, int levels);

    GLuint name_ = 0;
    int width_ = 0, height_ = 0, levels_ = 0;
    bool averaged_ = true;
};

}  // namespace lanescope::render
