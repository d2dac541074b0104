// A picture on the GPU that views draw as a rectangle. Neighbouring pixels are not blended.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "image/image.h"
#include "render/buffer.h"
#include "render/gl.h"

namespace lanescope::render {

class Texture {
  public:
    Texture() = default;
    ~Texture();
    Texture(Texture&& other) noexcept;
    Texture& operator=(Texture&& other) noexcept;

    // height × width pixels of 8-bit RGBA, red in the lowest byte, first row first. Reallocates storage only
    // when the size changes. Error: a size that the driver refuses.
    Result<void> set(int width, int height, std::span<const std::uint32_t> pixels);
    // Does the same from a buffer, on the GPU if the buffer is there.
    Result<void> copy_from(const Buffer& pixels, int width, int height);
    // Makes the averaged, smaller pictures after copy_from(). Call it before the texture is drawn smaller
    // than its size.
    void average();
    GLuint name() const { return name_; }  // 0 before the first set()

  private:
    Result<void> make(int width, int height, int levels);
    void prepare_to_fill() const;

    GLuint name_ = 0;
    int width_ = 0, height_ = 0, levels_ = 0;
    bool averaged_ = true;
};

// Returns width and height of a texture that is attached to the framebuffer which is bound for reading.
std::array<int, 2> texture_size(GLuint name);

// Returns the pixels of a texture, RGBA, first row first. Errors: those of the driver.
Result<image::Image> read_texture(GLuint name);

}  // namespace lanescope::render
